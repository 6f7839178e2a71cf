/* Convolutions with few multiplications for one block size. The including file defines:

   BLOCK  channels per block, which is the number of lanes in a vector
   TILES  tiles that are multiplied at once; two vectors of sums per tile stay in registers
   NAMED  adds a suffix to a function's name */

typedef float NAMED(vector) __attribute__((vector_size(BLOCK * sizeof(float)), aligned(sizeof(float))));
#define VECTOR NAMED(vector)

PART VECTOR NAMED(load)(const float *from) { return *(const VECTOR *)from; }
PART void NAMED(store)(float *to, VECTOR value) { *(VECTOR *)to = value; }

/* Taking the maximum is sufficient, because the slope is at most 1. */
PART VECTOR NAMED(activate)(VECTOR value, float slope) {
  VECTOR sloped = slope * value;
#if defined(__clang__)
  return __builtin_elementwise_max(value, sloped);
#else
  for (int lane = 0; lane < BLOCK; lane++) value[lane] = value[lane] < sloped[lane] ? sloped[lane] : value[lane];
  return value;
#endif
}

/* Computes the input of each product: the samples of a tile, weighted by the coefficients of the polynomial that is 0 at
   all points except one. */
PART void NAMED(evaluate)(const VECTOR x[PRODUCTS], float *to, size_t step) {
  VECTOR one = x[5] - 2.0f * x[4] - 0.25f * x[3] + 0.5f * x[2];
  VECTOR minus_one = x[4] - 2.0f * x[3] - 0.25f * x[2] + 0.5f * x[1];
  VECTOR half = x[5] - 2.0f * x[4] - x[3] + 2.0f * x[2];
  VECTOR minus_half = x[4] - 2.0f * x[3] - x[2] + 2.0f * x[1];
  NAMED(store)(to, x[5] - 2.0f * x[4] - 1.25f * x[3] + 2.5f * x[2] + 0.25f * x[1] - 0.5f * x[0]);
  NAMED(store)(to + step, one + minus_one);
  NAMED(store)(to + 2 * step, one - minus_one);
  NAMED(store)(to + 3 * step, half + 0.5f * minus_half);
  NAMED(store)(to + 4 * step, half - 0.5f * minus_half);
  NAMED(store)(to + 5 * step, x[5] - 1.25f * x[3] + 0.25f * x[1]);
  NAMED(store)(to + 6 * step, x[6] - 2.0f * x[5] - 1.25f * x[4] + 2.5f * x[3] + 0.25f * x[2] - 0.5f * x[1]);
}

/* Computes a tile's samples from its products: each sample is the sum of the products, weighted by powers of their points. */
PART void NAMED(interpolate)(const float *from, size_t step, int samples, VECTOR bias, VECTOR y[MOST_SAMPLES]) {
  VECTOR products[PRODUCTS];
  UNROLL for (int product = 0; product < PRODUCTS; product++) products[product] = NAMED(load)(from + product * step);
  VECTOR even = products[1] + products[2], odd = products[1] - products[2];
  VECTOR half_even = products[3] + products[4], half_odd = products[3] - products[4];
  VECTOR two = products[5];
  y[0] = products[0] + even + half_even + two + bias;
  y[1] = odd + 0.5f * half_odd + 2.0f * two + bias;
  y[2] = even + 0.25f * half_even + 4.0f * two + bias;
  y[3] = odd + 0.125f * half_odd + 8.0f * two + bias;
  y[4] = even + 0.0625f * half_even + 16.0f * two + bias;
  y[samples - 1] += products[6];
}

/* Evaluates one block of channels for all tiles, including the tiles after the piece that later tap
   groups read. */
PART void NAMED(read)(const struct vector_convolution *call, const struct piece *piece, size_t block, float *to) {
  size_t channels = call->input_blocks * BLOCK;
  ptrdiff_t step = (ptrdiff_t)call->dilation, length = (ptrdiff_t)call->length;
  const float *from = call->input + (block * call->rows + piece->row) * call->length * BLOCK;
  for (size_t tile = 0; tile < piece->input_tiles; tile++) {
    ptrdiff_t start = (ptrdiff_t)first_sample(call, piece->start + tile) - (ptrdiff_t)call->padding;
    VECTOR x[PRODUCTS];
    int is_inside = start >= 0 && start + (PRODUCTS - 1) * step < length;
    UNROLL for (int sample = 0; sample < PRODUCTS; sample++) {
      ptrdiff_t moment = start + sample * step;
      VECTOR value = {0};
      if (is_inside || (moment >= 0 && moment < length)) value = NAMED(load)(from + moment * BLOCK);
      x[sample] = call->input_slope == 1 ? value : NAMED(activate)(value, call->input_slope);
    }
    NAMED(evaluate)(x, to + tile * channels + block * BLOCK, piece->padded_input_tiles * channels);
  }
}

/* Multiplies TILES tiles by the weights of one or two blocks of output channels. */
PART void NAMED(multiply)(
    const float *tiles, size_t channels, size_t shift, size_t parts, const float *weights, float *to, size_t step,
    int blocks) {
  VECTOR sums[TILES][2];
  UNROLL for (int tile = 0; tile < TILES; tile++)
    UNROLL for (int block = 0; block < blocks; block++) sums[tile][block] = (VECTOR){0};
  for (size_t part = 0; part < parts; part++, tiles += shift) {
    for (size_t channel = 0; channel < channels; channel++, weights += blocks * BLOCK) {
      VECTOR factors[2];
      UNROLL for (int block = 0; block < blocks; block++) factors[block] = NAMED(load)(weights + block * BLOCK);
      UNROLL for (int tile = 0; tile < TILES; tile++)
        UNROLL for (int block = 0; block < blocks; block++)
          sums[tile][block] += tiles[tile * channels + channel] * factors[block];
    }
  }
  UNROLL for (int tile = 0; tile < TILES; tile++)
    UNROLL for (int block = 0; block < blocks; block++) NAMED(store)(to + tile * step + block * BLOCK, sums[tile][block]);
}

/* Writes one output block for all tiles. */
PART void NAMED(write)(
    const struct vector_convolution *call, const struct piece *piece, size_t block, const float *from, int samples) {
  size_t channels = call->output_blocks * BLOCK;
  size_t phases = call->phases, length = call->length;
  size_t step = call->dilation * phases * BLOCK;
  size_t start = (((block / phases) * call->rows + piece->row) * length * phases + block % phases) * BLOCK;
  VECTOR bias = NAMED(load)(call->bias + block * BLOCK);
  for (size_t tile = 0; tile < piece->tiles; tile++) {
    VECTOR y[MOST_SAMPLES];
    NAMED(interpolate)(from + tile * channels + block * BLOCK, piece->padded_tiles * channels, samples, bias, y);
    size_t moment = first_sample(call, piece->start + tile);
    size_t place = start + moment * phases * BLOCK;
    UNROLL for (int sample = 0; sample < samples; sample++) {
      if (moment + sample * call->dilation >= length) break;
      VECTOR value = y[sample];
      if (call->summand) value += NAMED(load)(call->summand + place + sample * step);
      if (call->output_slope != 1) value = NAMED(activate)(value, call->output_slope);
      NAMED(store)(call->output + place + sample * step, value);
    }
  }
}

static void NAMED(convolve)(const struct vector_convolution *call, const struct piece *piece, float *scratch) {
  size_t inputs = call->input_blocks * BLOCK, outputs = call->output_blocks * BLOCK;
  float *results = scratch + PRODUCTS * piece->padded_input_tiles * inputs;
  for (size_t block = 0; block < call->input_blocks; block++) NAMED(read)(call, piece, block, scratch);
  for (size_t product = 0; product < PRODUCTS; product++) {
    const float *tiles = scratch + product * piece->padded_input_tiles * inputs;
    float *to = results + product * piece->padded_tiles * outputs;
    const float *weights = call->weights + product * call->parts * inputs * outputs;
    for (size_t block = 0; block < call->output_blocks; block += 2)
      for (size_t tile = 0; tile < piece->padded_tiles; tile += TILES) {
        const float *factors = tiles + tile * inputs;
        const float *pair = weights + block * BLOCK * call->parts * inputs;
        float *sums = to + tile * outputs + block * BLOCK;
        if (call->output_blocks - block > 1)
          NAMED(multiply)(factors, inputs, call->dilation * inputs, call->parts, pair, sums, outputs, 2);
        else
          NAMED(multiply)(factors, inputs, call->dilation * inputs, call->parts, pair, sums, outputs, 1);
      }
  }
  for (size_t block = 0; block < call->output_blocks; block++) {
    if (call->samples == 3) NAMED(write)(call, piece, block, results, 3);
    else if (call->samples == 4) NAMED(write)(call, piece, block, results, 4);
    else NAMED(write)(call, piece, block, results, 5);
  }
}

#undef VECTOR
#undef BLOCK
#undef TILES
#undef NAMED
