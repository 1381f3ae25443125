#pragma once
// Vectors of the compiler, with which a kernel is written once and compiled for AVX-512 and for what the addon is built for (AVX2, NEON).
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>

// Vectors are passed between functions that are always inlined, so that it does not matter how a call would pass them.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace onnx {

#define INLINE static inline __attribute__((always_inline))

#ifdef __x86_64__
/** Compile a function, and what is inlined into it, for AVX-512, and for products of integers as well. */
#define FOR_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#define FOR_AVX512_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,prefer-vector-width=512")))
#if __GNUC__ >= 12
#define HAS_AVX_VNNI
#define FOR_AVX_VNNI __attribute__((target("avxvnni")))
#endif

inline bool hasAvx512() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  return has;
}

inline bool hasAvx512Vnni() {
  static const bool has = hasAvx512() && __builtin_cpu_supports("avx512vnni");
  return has;
}
#endif

/** A bfloat16: the upper half of a float of 32 bits. */
using Bfloat16 = uint16_t;

/** Vectors of `lanes` numbers. */
template <int lanes> struct Vectors {
  static constexpr int width = lanes;
  typedef float Floats __attribute__((vector_size(lanes * 4)));
  typedef uint32_t Words __attribute__((vector_size(lanes * 4)));
  typedef int32_t Integers __attribute__((vector_size(lanes * 4)));
  typedef uint16_t Halves __attribute__((vector_size(lanes * 2)));
  typedef int16_t Shorts __attribute__((vector_size(lanes * 2)));
  typedef uint8_t Bytes __attribute__((vector_size(lanes)));
  typedef double Doubles __attribute__((vector_size(lanes * 8)));
};

template <typename V> INLINE typename V::Floats load(const float *from) {
  typename V::Floats floats;
  std::memcpy(&floats, from, sizeof(floats));
  return floats;
}

template <typename V> INLINE typename V::Floats load(const Bfloat16 *from) {
  typename V::Halves halves;
  std::memcpy(&halves, from, sizeof(halves));
#ifdef __x86_64__
  // Of a conversion of 16 numbers the compiler makes two of 8, and joins them.
  if constexpr (V::width == 16)
    return (typename V::Floats)((typename V::Words)__builtin_ia32_pmovzxwd512_mask((typename V::Shorts)halves, typename V::Integers{}, -1) << 16);
#endif
  return (typename V::Floats)(__builtin_convertvector(halves, typename V::Words) << 16);
}

template <typename V> INLINE void store(float *to, typename V::Floats floats) { std::memcpy(to, &floats, sizeof(floats)); }

template <typename V> INLINE typename V::Floats larger(typename V::Floats one, typename V::Floats other) { return one > other ? one : other; }

template <typename V> INLINE float largestOf(typename V::Floats floats) {
  float largest = floats[0];
  for (int lane = 1; lane < V::width; lane++) largest = floats[lane] > largest ? floats[lane] : largest;
  return largest;
}

template <typename V> INLINE float sumOf(typename V::Floats floats) {
  float sum = 0;
  for (int lane = 0; lane < V::width; lane++) sum += floats[lane];
  return sum;
}

/** A number of this size has no room for a fraction: to add and subtract it rounds halves to the even number. */
constexpr float roundingShift = 12582912.0f;

template <typename V> INLINE typename V::Floats roundToWhole(typename V::Floats x) { return (x + roundingShift) - roundingShift; }

/**
 * Returns e to the power of numbers up to 0, to seven digits: 2 to the power of a whole number, which is put into the exponent, times that of a
 * number from -0.5 to 0.5, by the first terms of its series.
 */
template <typename V> INLINE typename V::Floats exponential(typename V::Floats x) {
  typedef typename V::Floats Floats;
  typedef typename V::Integers Integers;
  const Floats least = Floats{} - 87;
  x = x < least ? least : x;
  const Floats whole = roundToWhole<V>(x * 1.44269504f);
  const Floats rest = (x - whole * 0.693145752f) - whole * 1.42860677e-6f;
  Floats series = Floats{} + 1.98756909e-4f;
  series = series * rest + 1.39819994e-3f;
  series = series * rest + 8.33345205e-3f;
  series = series * rest + 4.16657962e-2f;
  series = series * rest + 1.66666657e-1f;
  series = series * rest + 0.5f;
  series = series * rest * rest + rest + 1.0f;
  const Integers exponent = (__builtin_convertvector(whole, Integers) + 127) << 23;
  return series * (Floats)exponent;
}

/** Returns 2 to the power of numbers up to 0, to five digits, by a polynomial for numbers from -0.5 to 0.5 with the least relative error. */
template <typename V> INLINE typename V::Floats powerOfTwo(typename V::Floats x) {
  typedef typename V::Floats Floats;
  typedef typename V::Integers Integers;
  const Floats least = Floats{} - 126;
  x = x < least ? least : x;
  // Its lowest bits are the whole number, which is added to the exponent.
  const Floats shifted = x + roundingShift;
  const Floats rest = x - (shifted - roundingShift);
  Floats series = Floats{} + 9.57009793e-3f;
  series = series * rest + 5.591786e-2f;
  series = series * rest + 0.240247449f;
  series = series * rest + 0.693121815f;
  series = series * rest + 0.999999261f;
  return (Floats)((Integers)series + ((Integers)shifted << 23));
}

} // namespace onnx
