import { readFile, readdir } from 'node:fs/promises'
import { cpus } from 'node:os'
import type { ModelMeasurement } from '#engine/models/measured.ts'

const lookEveryMs = 100

/** What figures were measured on, and when. */
export function describeMachine(
  gpu?: 'cuda' | 'vulkan',
): Pick<ModelMeasurement, 'processor' | 'measuredAt' | 'device'> {
  return {
    processor: cpus()[0]?.model ?? '',
    measuredAt: new Date().toISOString(),
    device: gpu ? `GPU (${gpu})` : 'CPU, one thread',
  }
}

/** Looks at the largest peak memory (VmHWM) of the child processes that this one starts from now on, until stopped. */
export async function watchPeakMemory(): Promise<{ stop(): Promise<number> }> {
  const older = new Set(await readdir('/proc'))
  let peakBytes = 0
  const look = async () => {
    for (const pid of await readdir('/proc')) {
      if (!older.has(pid)) peakBytes = Math.max(peakBytes, await readPeak(pid))
    }
  }
  const timer = setInterval(() => void look(), lookEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await look()
      return peakBytes
    },
  }
}

/** 0 for what is no child of this process, or has ended. */
async function readPeak(pid: string): Promise<number> {
  if (!/^\d+$/u.test(pid)) return 0
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1] ?? 0)
  return field('PPid') === process.pid ? field('VmHWM') * 1024 : 0
}
