import { readFile, readdir } from 'node:fs/promises'
import { cpus } from 'node:os'
import type { ModelMeasurement } from '#engine/models/measurements.ts'

const intervalMs = 100

/** Returns the processor, the device and the time of a measurement. */
export function describeMachine(
  gpu?: 'cuda' | 'vulkan',
): Pick<ModelMeasurement, 'processor' | 'measuredAt' | 'device'> {
  return {
    processor: cpus()[0]?.model ?? '',
    measuredAt: new Date().toISOString(),
    device: gpu ? `GPU (${gpu})` : 'CPU, one thread',
  }
}

/** Watches the peak memory (VmHWM) of child processes started from now on; `stop` returns the largest, in bytes. */
export async function watchPeakMemory(): Promise<{ stop(): Promise<number> }> {
  const older = new Set(await readdir('/proc'))
  let peakBytes = 0
  const sample = async () => {
    for (const pid of await readdir('/proc')) {
      if (!older.has(pid)) peakBytes = Math.max(peakBytes, await readPeak(pid))
    }
  }
  const timer = setInterval(() => void sample(), intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await sample()
      return peakBytes
    },
  }
}

/** Returns 0 for a process that is not a child of this one, or has ended. */
async function readPeak(pid: string): Promise<number> {
  if (!/^\d+$/u.test(pid)) return 0
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1] ?? 0)
  return field('PPid') === process.pid ? field('VmHWM') * 1024 : 0
}
