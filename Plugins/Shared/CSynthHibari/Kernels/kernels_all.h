/*
 * kernels_all.h: the kernels of one instruction set. The including file defines HB_ISA (512, 2, 64 or 0), HB_NAME, which adds
 * a suffix to function names, HB_TITLE and HB_AVAILABLE, and enables the instructions with a target attribute.
 */
#include "vec.h"
#include "vecmath.h"
#include "product.h"
#include "netmath.h"
#include "spectral.h"

const hb_kernels HB_NAME(hb_kernels) = {
    .name = HB_TITLE,
    .available = HB_AVAILABLE,
    .normalize = HB_NAME(normalize),
    .quantize = HB_NAME(quantize),
    .product = HB_NAME(product),
    .sums = HB_NAME(sums),
    .quantize_wide = HB_NAME(quantize_wide),
    .product_wide = HB_NAME(product_wide),
    .product_exact = HB_NAME(product_exact),
    .matmul = HB_NAME(matmul),
    .depthwise = HB_NAME(depthwise),
    .first_row = HB_NAME(first_row),
    .bias_gelu = HB_NAME(bias_gelu),
    .softmax = HB_NAME(softmax),
    .pulses = HB_NAME(pulses),
    .transform = HB_NAME(transform),
    .window = HB_NAME(window),
    .spectrum = HB_NAME(spectrum),
    .overlap = HB_NAME(overlap),
    .transpose = HB_NAME(transpose),
};
