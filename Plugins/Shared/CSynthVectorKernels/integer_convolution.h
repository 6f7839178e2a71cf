/* Integer convolutions for one kind of processor. The including file defines:

   BLOCK     channels per block
   TILES     time steps that are multiplied together; the sums of two blocks per time step stay in registers
   NAMED     adds a suffix to a function's name
   WHOLE     a vector of 32-bit integers; VECTORS of them are a block
   READ, REPEATED, DOT   the processor's instructions
   LEAST     the smallest sample value that DOT accepts; the largest is 255 above it */

typedef float NAMED(vector) __attribute__((vector_size(BLOCK * sizeof(float)), aligned(sizeof(float))));
typedef int32_t NAMED(whole) __attribute__((vector_size(BLOCK * sizeof(int32_t)), aligned(sizeof(int32_t))));
typedef uint8_t NAMED(bytes) __attribute__((vector_size(BLOCK), aligned(1)));
#define VECTOR NAMED(vector)

PART VECTOR NAMED(load)(const float *from) { return *(const VECTOR *)from; }
PART void NAMED(store)(float *to, VECTOR value) { *(VECTOR *)to = value; }

PART VECTOR NAMED(larger)(VECTOR one, VECTOR other) {
#if defined(__clang__)
  return __builtin_elementwise_max(one, other);
#else
  for (int lane = 0; lane < BLOCK; lane++) one[lane] = one[lane] < other[lane] ? other[lane] : one[lane];
  return one;
#endif
}

PART VECTOR NAMED(smaller)(VECTOR one, VECTOR other) { return -NAMED(larger)(-one, -other); }

/* Four floats, repeated to fill a vector. */
PART VECTOR NAMED(repeated)(const float *from) {
  typedef float four __attribute__((vector_size(FOUR * sizeof(float)), aligned(sizeof(float))));
  four numbers = *(const four *)from;
#if BLOCK == 16
  return __builtin_shufflevector(numbers, numbers, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
#else
  return __builtin_shufflevector(numbers, numbers, 0, 1, 2, 3, 0, 1, 2, 3);
#endif
}

/* Taking the maximum is sufficient, because the slope is at most 1. */
PART VECTOR NAMED(activate)(VECTOR value, float slope) { return NAMED(larger)(value, slope * value); }

/* Determines the part of the row that a piece reads. */
PART void NAMED(bounds)(const struct vector_convolution *call, const struct piece *piece, size_t *start, size_t *end) {
  size_t shift = piece->start < call->padding ? 0 : piece->start - call->padding;
  size_t last = piece->start + piece->inputs;
  last = last < call->padding ? 0 : last - call->padding;
  *start = shift < call->length ? shift : call->length;
  *end = last < call->length ? last : call->length;
}

/* Determines the quantization of each channel of a piece. Zeros before and after the row stay exact. */
PART void NAMED(measure)(const struct vector_convolution *call, const struct piece *piece, const struct scratch *scratch) {
  size_t start, end;
  NAMED(bounds)(call, piece, &start, &end);
  for (size_t block = 0; block < call->input_blocks; block++) {
    const float *from = call->input + (block * call->rows + piece->row) * call->length * BLOCK;
    VECTOR least = {0}, most = {0};
    for (size_t moment = start; moment < end; moment++) {
      VECTOR value = NAMED(load)(from + moment * BLOCK);
      least = NAMED(smaller)(least, value);
      most = NAMED(larger)(most, value);
    }
    for (int lane = 0; lane < BLOCK; lane++) {
      float low = least[lane] * call->input_slope, scale = (most[lane] - low) / STEPS;
      /* If the scale is too small or not finite, it is set to 0. */
      int is_usable = isfinite(scale) && scale > 1e-30f;
      size_t channel = block * BLOCK + lane;
      scratch->scales[channel] = is_usable ? scale : 0;
      scratch->factors[channel] = is_usable ? 1 / scale : 0;
      scratch->zeros[channel] = is_usable ? floorf(-low / scale + 0.5f) : 0;
    }
  }
}

PART NAMED(whole) NAMED(rounded)(VECTOR value) {
  value += ROUNDING;
  NAMED(whole) bits;
  memcpy(&bits, &value, sizeof bits);
  return bits - ROUNDING_BITS;
}

/* Quantizes a piece's input. */
PART void NAMED(read)(const struct vector_convolution *call, const struct piece *piece, const struct scratch *scratch) {
  size_t channels = call->input_blocks * BLOCK;
  VECTOR none = {0}, most = none + (float)STEPS;
  ptrdiff_t start = (ptrdiff_t)piece->start - (ptrdiff_t)call->padding, length = (ptrdiff_t)call->length;
  for (size_t block = 0; block < call->input_blocks; block++) {
    const float *from = call->input + (block * call->rows + piece->row) * call->length * BLOCK;
    VECTOR factor = NAMED(load)(scratch->factors + block * BLOCK), zero = NAMED(load)(scratch->zeros + block * BLOCK);
    uint8_t *to = scratch->samples + block * BLOCK;
    for (size_t input = 0; input < piece->inputs; input++, to += channels) {
      ptrdiff_t moment = start + (ptrdiff_t)input;
      VECTOR value = none;
      if (moment >= 0 && moment < length) value = NAMED(load)(from + moment * BLOCK);
      if (call->input_slope != 1) value = NAMED(activate)(value, call->input_slope);
      value = NAMED(smaller)(NAMED(larger)(value * factor + zero, none), most);
      NAMED(bytes) bytes = __builtin_convertvector(NAMED(rounded)(value) + LEAST, NAMED(bytes));
      memcpy(to, &bytes, BLOCK);
    }
  }
}

/* Quantizes the weights of one or two output blocks.

   scales  the step size of the weights for each output channel
   shifts  the sum of the channel's weights, each multiplied by the input channel's zero point */
PART void NAMED(weigh)(
    const struct vector_convolution *call, const struct scratch *scratch, const float *weights, int blocks, float *scales,
    int32_t *shifts) {
  size_t channels = call->input_blocks * BLOCK, step = blocks * BLOCK * FOUR;
  VECTOR most[2 * FOUR], factors[2 * FOUR];
  NAMED(whole) sums[2 * FOUR];
  UNROLL for (int part = 0; part < FOUR * blocks; part++) {
    most[part] = (VECTOR){0};
    sums[part] = (NAMED(whole)){0};
  }
  const float *from = weights;
  for (size_t tap = 0; tap < call->taps; tap++)
    for (size_t channel = 0; channel < channels; channel += FOUR, from += step) {
      VECTOR scale = NAMED(repeated)(scratch->scales + channel);
      UNROLL for (int part = 0; part < FOUR * blocks; part++) {
        VECTOR value = NAMED(load)(from + part * BLOCK) * scale;
        most[part] = NAMED(larger)(most[part], NAMED(larger)(value, -value));
      }
    }
  for (int output = 0; output < blocks * BLOCK; output++) {
    int part = output * FOUR / BLOCK, lane = output * FOUR % BLOCK;
    float largest = 0;
    for (int inner = 0; inner < FOUR; inner++)
      largest = most[part][lane + inner] > largest ? most[part][lane + inner] : largest;
    scales[output] = largest / LARGEST_WEIGHT;
    float factor = isfinite(largest) && largest > 1e-30f ? LARGEST_WEIGHT / largest : 0;
    for (int inner = 0; inner < FOUR; inner++) factors[part][lane + inner] = factor;
  }
  from = weights;
  int8_t *to = scratch->weights;
  for (size_t tap = 0; tap < call->taps; tap++)
    for (size_t channel = 0; channel < channels; channel += FOUR, from += step, to += step) {
      VECTOR scale = NAMED(repeated)(scratch->scales + channel);
      NAMED(whole) zeros = __builtin_convertvector(NAMED(repeated)(scratch->zeros + channel), NAMED(whole)) + LEAST;
      UNROLL for (int part = 0; part < FOUR * blocks; part++) {
        NAMED(whole) value = NAMED(rounded)(NAMED(load)(from + part * BLOCK) * scale * factors[part]);
        sums[part] += value * zeros;
        NAMED(bytes) bytes = __builtin_convertvector(value, NAMED(bytes));
        memcpy(to + part * BLOCK, &bytes, BLOCK);
      }
    }
  for (int output = 0; output < blocks * BLOCK; output++) {
    int part = output * FOUR / BLOCK, lane = output * FOUR % BLOCK;
    shifts[output] = 0;
    for (int inner = 0; inner < FOUR; inner++) shifts[output] += sums[part][lane + inner];
  }
}

/* Writes up to TILES time steps of one or two output blocks. */
PART void NAMED(multiply)(
    const struct vector_convolution *call, const struct piece *piece, const struct scratch *scratch, size_t start,
    size_t first, int blocks, const float *scales, const int32_t *shifts) {
  size_t channels = call->input_blocks * BLOCK;
  const int8_t *weights = scratch->weights;
  WHOLE sums[TILES][2][VECTORS];
  UNROLL for (int tile = 0; tile < TILES; tile++)
    UNROLL for (int block = 0; block < blocks; block++)
      UNROLL for (int part = 0; part < VECTORS; part++) sums[tile][block][part] = REPEATED(0);
  for (size_t tap = 0; tap < call->taps; tap++) {
    const uint8_t *from = scratch->samples + (start + tap * call->dilation) * channels;
    for (size_t channel = 0; channel < channels; channel += FOUR, weights += blocks * BLOCK * FOUR) {
      WHOLE factors[2][VECTORS];
      UNROLL for (int block = 0; block < blocks; block++)
        UNROLL for (int part = 0; part < VECTORS; part++)
          factors[block][part] = READ(weights + (block * VECTORS + part) * (int)sizeof(WHOLE));
      UNROLL for (int tile = 0; tile < TILES; tile++) {
        int32_t four;
        memcpy(&four, from + tile * channels + channel, sizeof four);
        WHOLE repeated = REPEATED(four);
        UNROLL for (int block = 0; block < blocks; block++)
          UNROLL for (int part = 0; part < VECTORS; part++)
            sums[tile][block][part] = DOT(sums[tile][block][part], repeated, factors[block][part]);
      }
    }
  }
  size_t phases = call->phases;
  size_t count = piece->moments - start < TILES ? piece->moments - start : TILES;
  UNROLL for (int block = 0; block < blocks; block++) {
    size_t output = first + block;
    VECTOR scale = NAMED(load)(scales + block * BLOCK), bias = NAMED(load)(call->bias + output * BLOCK);
    NAMED(whole) shift;
    memcpy(&shift, shifts + block * BLOCK, sizeof shift);
    size_t place = (((output / phases) * call->rows + piece->row) * call->length * phases + output % phases) * BLOCK
        + (piece->start + start) * phases * BLOCK;
    UNROLL for (int tile = 0; tile < TILES; tile++) {
      if ((size_t)tile >= count) break;
      NAMED(whole) sum;
      memcpy(&sum, sums[tile][block], sizeof sum);
      VECTOR value = __builtin_convertvector(sum - shift, VECTOR) * scale + bias;
      size_t to = place + tile * phases * BLOCK;
      if (call->summand) value += NAMED(load)(call->summand + to);
      if (call->output_slope != 1) value = NAMED(activate)(value, call->output_slope);
      NAMED(store)(call->output + to, value);
    }
  }
}

PART void NAMED(pair)(
    const struct vector_convolution *call, const struct piece *piece, const struct scratch *scratch, size_t first,
    int blocks) {
  float scales[2 * BLOCK];
  int32_t shifts[2 * BLOCK];
  const float *weights = call->weights + first * BLOCK * call->taps * call->input_blocks * BLOCK;
  NAMED(weigh)(call, scratch, weights, blocks, scales, shifts);
  for (size_t start = 0; start < piece->moments; start += TILES)
    NAMED(multiply)(call, piece, scratch, start, first, blocks, scales, shifts);
}

static void NAMED(convolve)(const struct vector_convolution *call, const struct piece *piece, const struct scratch *scratch) {
  NAMED(measure)(call, piece, scratch);
  NAMED(read)(call, piece, scratch);
  for (size_t block = 0; block < call->output_blocks; block += 2) {
    if (call->output_blocks - block > 1) NAMED(pair)(call, piece, scratch, block, 2);
    else NAMED(pair)(call, piece, scratch, block, 1);
  }
}

#undef VECTOR
#undef BLOCK
#undef TILES
#undef NAMED
#undef VECTORS
#undef WHOLE
#undef READ
#undef REPEATED
#undef DOT
#undef LEAST
