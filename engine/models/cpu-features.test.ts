import { expect, test } from 'vitest'
import { hasExactInt8 } from './cpu-features.ts'

function cpuinfo(name: string, flags: string): string {
  return `processor\t: 0\nmodel name\t: ${name}\n${flags}\nbugs\t\t: spectre_v1\n\nprocessor\t: 1\n${flags}\n`
}

test.each([
  ['Ice Lake', 'flags\t\t: fpu vme avx2 avx512f avx512_vnni avx512_bitalg', true],
  ['Alder Lake, without AVX-512', 'flags\t\t: fpu avx2 avx_vnni', true],
  ['Sapphire Rapids', 'flags\t\t: fpu avx2 amx_tile amx_int8', true],
  ['Haswell', 'flags\t\t: fpu vme avx2 fma bmi2', false],
  ['Skylake-SP, AVX-512 without VNNI', 'flags\t\t: fpu avx2 avx512f avx512bw avx512vl', false],
  ['Neoverse N1', 'Features\t: fp asimd asimdhp asimddp', true],
  ['Cortex-A72', 'Features\t: fp asimd crc32', false],
])('%s', (name, flags, expected) => {
  expect(hasExactInt8(cpuinfo(name, flags))).toBe(expected)
})

test('a CPU without flags counts as one without exact multiplication', () => {
  expect(hasExactInt8('')).toBe(false)
  expect(hasExactInt8('model name\t: avx512_vnni')).toBe(false)
})
