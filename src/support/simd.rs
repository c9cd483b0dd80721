//! Operations on four words, or on sixteen small integers, at once.
//!
//! The four parity classes of a board need the same operations, and so do the hidden units of a network: one instruction
//! on a 256-bit register serves four words or sixteen units. Code that is generic over [`Simd`] is compiled three times:
//! for any processor, for AVX2, and for AVX2 with AVX-512 on 256-bit registers. [`with_simd`] runs the best version that
//! the processor supports. All versions give the same results.
//!
//! This is the only file with `unsafe` code: the compiler does not vectorise operations on four words by itself, and
//! can't know which instructions the processor supports. AVX2 made a ply of a playout take 0.25 µs instead of 0.40, and
//! an iteration of the default agent of that time 1.23 times as fast. AVX-512, with ternary logic and twice as many
//! registers, gained another 8 % (`tuning/EXPERIMENTS.md`, E128 and E168).

#![allow(unsafe_code)]

/// A set of vector instructions.
pub trait Simd: Copy {
    /// Four words.
    type Words: Copy;

    /// Loads four words from memory.
    fn load(self, words: [u64; 4]) -> Self::Words;

    /// Stores four words to memory.
    fn store(self, words: Self::Words) -> [u64; 4];

    /// `a & b`
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// `a | b`
    fn or(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// `a & !b`
    fn and_not(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// Each word shifted left by `BITS`.
    fn shl<const BITS: i32>(self, words: Self::Words) -> Self::Words;

    /// Each word shifted right by `BITS`.
    fn shr<const BITS: i32>(self, words: Self::Words) -> Self::Words;

    /// Each word shifted left by its entry in `bits`; 0 if that is 64 or more.
    fn shl_each(self, words: Self::Words, bits: Self::Words) -> Self::Words;

    /// Each word shifted right by its entry in `bits`; 0 if that is 64 or more.
    fn shr_each(self, words: Self::Words, bits: Self::Words) -> Self::Words;

    /// `a − b`, wrapping around.
    fn sub(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// Sets all bits of each word where `a` is greater than `b`, as signed numbers, and clears the other words.
    fn greater(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// The number of each word's highest set bit, counted from 0. Each word must be from 1 to 2²⁴ − 1.
    fn highest_bit(self, words: Self::Words) -> Self::Words;

    /// The words of `words` at the indices `places`, each 0…3.
    fn select(self, words: Self::Words, places: [usize; 4]) -> Self::Words;

    /// Whether `a` and `b` are equal in all four words.
    fn equal(self, a: Self::Words, b: Self::Words) -> bool;

    /// Multiplies `a` and `b` element by element and adds the sixteen products to `sums`, two products to each sum. The
    /// pairing depends on the instruction set; only the total of `sums` is the same everywhere.
    fn add_products(self, sums: [i32; 8], a: [i16; 16], b: [i16; 16]) -> [i32; 8];
}

/// A task that [`with_simd`] runs.
///
/// Only code that is inlined into the task is compiled for the instruction set, so hot functions that the task calls
/// should be `#[inline(always)]`, and hot loops should not be iterators with closures. The compiler vectorises plain
/// loops over integers, so they need not call `Simd` methods.
pub trait SimdTask {
    /// The task's result.
    type Output;

    /// Runs the task.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs `task` with the best instruction set that the processor supports.
#[inline]
pub fn with_simd<T: SimdTask>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::Avx2::detect() {
        return avx2.run(task);
    }
    task.run(Portable)
}

/// The results of `task` with each instruction set that the processor supports.
#[cfg(test)]
pub fn with_each_simd<T: SimdTask>(task: impl Fn() -> T) -> Vec<T::Output> {
    let mut results = vec![task().run(Portable)];
    #[cfg(target_arch = "x86_64")]
    if let Some(best) = avx2::Avx2::detect() {
        results.extend([best.without_avx512(), best].map(|avx2| avx2.run(task())));
    }
    results
}

/// Plain Rust, for any processor.
#[derive(Clone, Copy)]
pub struct Portable;

impl Simd for Portable {
    type Words = [u64; 4];

    #[inline(always)]
    fn load(self, words: [u64; 4]) -> [u64; 4] {
        words
    }

    #[inline(always)]
    fn store(self, words: [u64; 4]) -> [u64; 4] {
        words
    }

    #[inline(always)]
    fn and(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|word| a[word] & b[word])
    }

    #[inline(always)]
    fn or(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|word| a[word] | b[word])
    }

    #[inline(always)]
    fn and_not(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|word| a[word] & !b[word])
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self, words: [u64; 4]) -> [u64; 4] {
        words.map(|word| word << BITS)
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self, words: [u64; 4]) -> [u64; 4] {
        words.map(|word| word >> BITS)
    }

    #[inline(always)]
    fn shl_each(self, words: [u64; 4], bits: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|word| if bits[word] < 64 { words[word] << bits[word] } else { 0 })
    }

    #[inline(always)]
    fn shr_each(self, words: [u64; 4], bits: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|word| if bits[word] < 64 { words[word] >> bits[word] } else { 0 })
    }

    #[inline(always)]
    fn sub(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|word| a[word].wrapping_sub(b[word]))
    }

    #[inline(always)]
    fn greater(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|word| u64::from(a[word] as i64 > b[word] as i64).wrapping_neg())
    }

    #[inline(always)]
    fn highest_bit(self, words: [u64; 4]) -> [u64; 4] {
        words.map(|word| u64::from(63 - word.leading_zeros()))
    }

    #[inline(always)]
    fn select(self, words: [u64; 4], places: [usize; 4]) -> [u64; 4] {
        places.map(|place| words[place & 3])
    }

    #[inline(always)]
    fn equal(self, a: [u64; 4], b: [u64; 4]) -> bool {
        a == b
    }

    #[inline(always)]
    fn add_products(self, mut sums: [i32; 8], a: [i16; 16], b: [i16; 16]) -> [i32; 8] {
        for (place, (&a, &b)) in a.iter().zip(&b).enumerate() {
            sums[place % 8] += i32::from(a) * i32::from(b);
        }
        sums
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Simd, SimdTask};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_and_si256, _mm256_andnot_si256, _mm256_castps_si256,
        _mm256_cmpgt_epi64, _mm256_cvtepi32_ps, _mm256_madd_epi16, _mm256_or_si256,
        _mm256_permutevar8x32_epi32, _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_sllv_epi64,
        _mm256_srli_epi32, _mm256_srli_epi64, _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_testz_si256,
        _mm256_xor_si256,
    };
    use std::sync::OnceLock;

    /// Proof that the processor supports AVX2, BMI1 and LZCNT. Only [`detect`](Self::detect) makes one.
    #[derive(Clone, Copy)]
    pub struct Avx2 {
        /// Whether the processor also supports AVX-512 F, BW, DQ and VL, BMI2 and POPCNT.
        avx512: bool,
    }

    impl Avx2 {
        /// The proof; `None` if the processor lacks a feature.
        #[inline]
        pub fn detect() -> Option<Avx2> {
            static DETECTED: OnceLock<Option<Avx2>> = OnceLock::new();
            *DETECTED.get_or_init(|| {
                let avx2 = is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("lzcnt");
                let avx512 = is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("f16c")
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl");
                avx2.then_some(Avx2 { avx512 })
            })
        }

        #[cfg(test)]
        pub fn without_avx512(self) -> Avx2 {
            Avx2 { avx512: false }
        }

        /// Runs `task` compiled for the supported features.
        #[inline]
        pub fn run<T: SimdTask>(self, task: T) -> T::Output {
            #[target_feature(enable = "avx2,bmi1,lzcnt")]
            fn compiled_for_avx2<T: SimdTask>(task: T, avx2: Avx2) -> T::Output {
                task.run(avx2)
            }
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
            fn compiled_for_avx512<T: SimdTask>(task: T, avx2: Avx2) -> T::Output {
                task.run(avx2)
            }
            if self.avx512 {
                // SAFETY: `self.avx512` proves that the processor supports these features.
                return unsafe { compiled_for_avx512(task, self) };
            }
            // SAFETY: `self` proves that the processor supports these features.
            unsafe { compiled_for_avx2(task, self) }
        }
    }

    impl Simd for Avx2 {
        type Words = __m256i;

        #[inline(always)]
        fn load(self, words: [u64; 4]) -> __m256i {
            // SAFETY: both types are 256 bits, and any bits are valid for them.
            unsafe { std::mem::transmute(words) }
        }

        #[inline(always)]
        fn store(self, words: __m256i) -> [u64; 4] {
            // SAFETY: as in `load`.
            unsafe { std::mem::transmute(words) }
        }

        #[inline(always)]
        fn and(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_and_si256(a, b) }
        }

        #[inline(always)]
        fn or(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_or_si256(a, b) }
        }

        #[inline(always)]
        fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_andnot_si256(b, a) }
        }

        #[inline(always)]
        fn shl<const BITS: i32>(self, words: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_slli_epi64::<BITS>(words) }
        }

        #[inline(always)]
        fn shr<const BITS: i32>(self, words: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_srli_epi64::<BITS>(words) }
        }

        #[inline(always)]
        fn shl_each(self, words: __m256i, bits: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_sllv_epi64(words, bits) }
        }

        #[inline(always)]
        fn shr_each(self, words: __m256i, bits: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_srlv_epi64(words, bits) }
        }

        #[inline(always)]
        fn sub(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_sub_epi64(a, b) }
        }

        #[inline(always)]
        fn greater(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_cmpgt_epi64(a, b) }
        }

        // An `f32` holds the lower half of such a word exactly, and its exponent is the number of the highest bit, plus
        // 127. The upper half is 0, and so is its `f32`.
        #[inline(always)]
        fn highest_bit(self, words: __m256i) -> __m256i {
            // SAFETY: `self` proves AVX2.
            unsafe {
                let exponents = _mm256_srli_epi32::<23>(_mm256_castps_si256(_mm256_cvtepi32_ps(words)));
                _mm256_sub_epi64(exponents, _mm256_set1_epi64x(127))
            }
        }

        #[inline(always)]
        fn select(self, words: __m256i, places: [usize; 4]) -> __m256i {
            // The instruction selects halves of words: number `2·place` is the lower half, the next one the upper half.
            let halves = places.map(|place| place as u64 * 0x2_0000_0002 + 0x1_0000_0000);
            // SAFETY: `self` proves AVX2.
            unsafe { _mm256_permutevar8x32_epi32(words, self.load(halves)) }
        }

        #[inline(always)]
        fn equal(self, a: __m256i, b: __m256i) -> bool {
            // SAFETY: `self` proves AVX2.
            unsafe {
                let difference = _mm256_xor_si256(a, b);
                _mm256_testz_si256(difference, difference) == 1
            }
        }

        // The compiler would vectorise a loop of products with at most eight of them in a register.
        #[inline(always)]
        fn add_products(self, sums: [i32; 8], a: [i16; 16], b: [i16; 16]) -> [i32; 8] {
            // SAFETY: as in `load`, and `self` proves AVX2.
            unsafe {
                let [a, b] = [a, b].map(|numbers| std::mem::transmute::<[i16; 16], __m256i>(numbers));
                let sums = std::mem::transmute::<[i32; 8], __m256i>(sums);
                let products = _mm256_madd_epi16(a, b);
                std::mem::transmute::<__m256i, [i32; 8]>(_mm256_add_epi32(sums, products))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shifts, subtracts, compares and counts words at the limits of what the trait promises.
    struct AtTheLimits;

    impl SimdTask for AtTheLimits {
        type Output = [[u64; 4]; 5];

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [[u64; 4]; 5] {
            // Without the black box, the compiler would compute the results by itself.
            let [ones, bits, a, b, small] = std::hint::black_box([
                [u64::MAX; 4],
                [0, 63, 64, u64::MAX],
                [0, u64::MAX, 1, 1 << 63],
                [u64::MAX, 0, 1, 0],
                [1, 3, 1 << 16, (1 << 24) - 1],
            ]);
            let (ones, bits, a, b) = (simd.load(ones), simd.load(bits), simd.load(a), simd.load(b));
            [
                simd.store(simd.shl_each(ones, bits)),
                simd.store(simd.shr_each(ones, bits)),
                simd.store(simd.sub(a, b)),
                simd.store(simd.greater(a, b)),
                simd.store(simd.highest_bit(simd.load(small))),
            ]
        }
    }

    #[test]
    fn every_instruction_set_keeps_to_the_limits() {
        for found in with_each_simd(|| AtTheLimits) {
            assert_eq!(found[0], [u64::MAX, 1 << 63, 0, 0]);
            assert_eq!(found[1], [u64::MAX, 1, 0, 0]);
            assert_eq!(found[2], [1, u64::MAX, 0, 1 << 63]);
            assert_eq!(found[3], [u64::MAX, 0, 0, 0]);
            assert_eq!(found[4], [0, 1, 16, 23]);
        }
    }
}
