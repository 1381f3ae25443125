import { readFile } from 'node:fs/promises'

/** Flags of /proc/cpuinfo for instructions that multiply 8-bit integers into 32 bits: VNNI and AMX on x86, dot product on ARM. */
const exactInt8Flags = ['avx512_vnni', 'avx_vnni', 'amx_int8', 'asimddp', 'i8mm']

/**
 * Whether a CPU multiplies 8-bit integers exactly. Older CPUs add two products in 16 bits, which can overflow: onnxruntime's int8 networks
 * then silently lose text (of 998 characters, 665 were left).
 *
 * @param cpuinfo content of /proc/cpuinfo
 */
export function hasExactInt8(cpuinfo: string): boolean {
  const flags = /^(?:flags|Features)\s*:(.*)$/mu.exec(cpuinfo)?.[1] ?? ''
  return flags.split(/\s+/u).some((flag) => exactInt8Flags.includes(flag))
}

/** Whether this machine's CPU multiplies 8-bit integers exactly; false if unknown. */
export async function hasExactInt8Here(): Promise<boolean> {
  return hasExactInt8(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''))
}
