//! Four words, or sixteen small numbers, handled at once.
//!
//! The four parity classes of a board need the same operations, so one instruction can serve all of them if the
//! processor has registers of 256 bits; and so it is with a network's hidden units. Code written for any [`Lanes`] is
//! compiled three times: for any processor, for AVX2, and for AVX2 with what AVX-512 adds to it. [`with_lanes`] runs the
//! best version that the processor supports; all give the same results.
//!
//! This is the only file with `unsafe` code: the compiler does not put four words into one register by
//! itself, and cannot know what the processor supports. It makes a ply of a playout 1.6 times as fast
//! (0.25 for 0.40 µs), and an iteration of the default agent 1.6 times; AVX-512, with three operands in one operation
//! and twice the registers, makes it 1.1 times as fast again (`tuning/EXPERIMENTS.md`).

#![allow(unsafe_code)]

/// How four words, or sixteen small numbers, are handled: all at once, or one by one.
pub trait Lanes: Copy {
    /// Four words.
    type Words: Copy;

    /// Loads words from memory.
    fn load(self, words: [u64; 4]) -> Self::Words;

    /// Stores words to memory.
    fn store(self, words: Self::Words) -> [u64; 4];

    /// The bits that are in both.
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// The bits that are in either.
    fn or(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// The bits of `a` that are not in `b`.
    fn without(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// Each word shifted by `PLACES` towards the higher bits.
    fn up<const PLACES: i32>(self, words: Self::Words) -> Self::Words;

    /// Each word shifted by `PLACES` towards the lower bits.
    fn down<const PLACES: i32>(self, words: Self::Words) -> Self::Words;

    /// Each word shifted by its own number of `places` towards the higher bits.
    fn up_by(self, words: Self::Words, places: [u64; 4]) -> Self::Words;

    /// Each word shifted by its own number of `places` towards the lower bits.
    fn down_by(self, words: Self::Words, places: [u64; 4]) -> Self::Words;

    /// Whether all four are the same.
    fn same(self, a: Self::Words, b: Self::Words) -> bool;

    /// Adds the products of the numbers of `a` and `b` at the same places to `sums`, two to each of them: to which, only
    /// the lanes know.
    fn add_products(self, sums: [i32; 8], a: [i16; 16], b: [i16; 16]) -> [i32; 8];
}

/// A task for the best lanes that the processor has. Whatever it calls must be `#[inline(always)]`: only
/// then is it compiled for them. A task of plain loops need not use the lanes: the compiler knows what to do with
/// wider registers.
pub trait WithLanes {
    /// Its result.
    type Output;

    /// Runs it.
    fn with_lanes<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs `task` with the best lanes that the processor has.
#[inline]
pub fn with_lanes<T: WithLanes>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::Avx2::detect() {
        return avx2.with_lanes(task);
    }
    task.with_lanes(OneByOne)
}

/// What `task` comes to in each version that the processor can run.
#[cfg(test)]
pub fn with_all_lanes<T: WithLanes>(task: impl Fn() -> T) -> Vec<T::Output> {
    let mut results = vec![task().with_lanes(OneByOne)];
    #[cfg(target_arch = "x86_64")]
    if let Some(best) = avx2::Avx2::detect() {
        results.extend([best.without_avx512(), best].map(|lanes| lanes.with_lanes(task())));
    }
    results
}

/// Lanes for any processor: four words one by one.
#[derive(Clone, Copy)]
pub struct OneByOne;

impl Lanes for OneByOne {
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
        std::array::from_fn(|lane| a[lane] & b[lane])
    }

    #[inline(always)]
    fn or(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|lane| a[lane] | b[lane])
    }

    #[inline(always)]
    fn without(self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|lane| a[lane] & !b[lane])
    }

    #[inline(always)]
    fn up<const PLACES: i32>(self, words: [u64; 4]) -> [u64; 4] {
        words.map(|word| word << PLACES)
    }

    #[inline(always)]
    fn down<const PLACES: i32>(self, words: [u64; 4]) -> [u64; 4] {
        words.map(|word| word >> PLACES)
    }

    #[inline(always)]
    fn up_by(self, words: [u64; 4], places: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|lane| words[lane] << places[lane])
    }

    #[inline(always)]
    fn down_by(self, words: [u64; 4], places: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|lane| words[lane] >> places[lane])
    }

    #[inline(always)]
    fn same(self, a: [u64; 4], b: [u64; 4]) -> bool {
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

/// Lanes for processors with AVX2: four words in a register.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Lanes, WithLanes};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_and_si256, _mm256_andnot_si256, _mm256_madd_epi16, _mm256_or_si256,
        _mm256_slli_epi64, _mm256_sllv_epi64, _mm256_srli_epi64, _mm256_srlv_epi64, _mm256_testz_si256,
        _mm256_xor_si256,
    };
    use std::sync::OnceLock;

    /// Proof that the processor has AVX2 and the bit operations that came before or with it: only
    /// [`detect`](Self::detect) makes one.
    #[derive(Clone, Copy)]
    pub struct Avx2 {
        /// Whether it has AVX-512, too, for bytes and words and in registers of all sizes, and what came before it.
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
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl");
                avx2.then_some(Avx2 { avx512 })
            })
        }

        /// The same without AVX-512.
        #[cfg(test)]
        pub fn without_avx512(self) -> Avx2 {
            Avx2 { avx512: false }
        }

        /// Runs `task` compiled for these features.
        #[inline]
        pub fn with_lanes<T: WithLanes>(self, task: T) -> T::Output {
            #[target_feature(enable = "avx2,bmi1,lzcnt")]
            fn compiled_for_it<T: WithLanes>(task: T, avx2: Avx2) -> T::Output {
                task.with_lanes(avx2)
            }
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
            fn compiled_for_avx512<T: WithLanes>(task: T, avx2: Avx2) -> T::Output {
                task.with_lanes(avx2)
            }
            if self.avx512 {
                // SAFETY: the processor has these features, for `self` exists and says so.
                return unsafe { compiled_for_avx512(task, self) };
            }
            // SAFETY: the processor has these features, for `self` exists.
            unsafe { compiled_for_it(task, self) }
        }
    }

    impl Lanes for Avx2 {
        type Words = __m256i;

        #[inline(always)]
        fn load(self, words: [u64; 4]) -> __m256i {
            // SAFETY: both are 256 bits, of which any pattern is valid.
            unsafe { std::mem::transmute(words) }
        }

        #[inline(always)]
        fn store(self, words: __m256i) -> [u64; 4] {
            // SAFETY: as for `load`.
            unsafe { std::mem::transmute(words) }
        }

        #[inline(always)]
        fn and(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: the processor has AVX2, for `self` exists.
            unsafe { _mm256_and_si256(a, b) }
        }

        #[inline(always)]
        fn or(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: the processor has AVX2, for `self` exists.
            unsafe { _mm256_or_si256(a, b) }
        }

        #[inline(always)]
        fn without(self, a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: the processor has AVX2, for `self` exists.
            unsafe { _mm256_andnot_si256(b, a) }
        }

        #[inline(always)]
        fn up<const PLACES: i32>(self, words: __m256i) -> __m256i {
            // SAFETY: the processor has AVX2, for `self` exists.
            unsafe { _mm256_slli_epi64::<PLACES>(words) }
        }

        #[inline(always)]
        fn down<const PLACES: i32>(self, words: __m256i) -> __m256i {
            // SAFETY: the processor has AVX2, for `self` exists.
            unsafe { _mm256_srli_epi64::<PLACES>(words) }
        }

        #[inline(always)]
        fn up_by(self, words: __m256i, places: [u64; 4]) -> __m256i {
            // SAFETY: the processor has AVX2, for `self` exists.
            unsafe { _mm256_sllv_epi64(words, self.load(places)) }
        }

        #[inline(always)]
        fn down_by(self, words: __m256i, places: [u64; 4]) -> __m256i {
            // SAFETY: the processor has AVX2, for `self` exists.
            unsafe { _mm256_srlv_epi64(words, self.load(places)) }
        }

        #[inline(always)]
        fn same(self, a: __m256i, b: __m256i) -> bool {
            // SAFETY: the processor has AVX2, for `self` exists.
            unsafe {
                let differ = _mm256_xor_si256(a, b);
                _mm256_testz_si256(differ, differ) == 1
            }
        }

        // Of products in a loop the compiler puts no more than eight into a register.
        #[inline(always)]
        fn add_products(self, sums: [i32; 8], a: [i16; 16], b: [i16; 16]) -> [i32; 8] {
            // SAFETY: as for `load`; and the processor has AVX2, for `self` exists.
            unsafe {
                let [a, b] = [a, b].map(|numbers| std::mem::transmute::<[i16; 16], __m256i>(numbers));
                let sums = std::mem::transmute::<[i32; 8], __m256i>(sums);
                let products = _mm256_madd_epi16(a, b);
                std::mem::transmute::<__m256i, [i32; 8]>(_mm256_add_epi32(sums, products))
            }
        }
    }
}
