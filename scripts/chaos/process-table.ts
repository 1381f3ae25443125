import { readdirSync, readFileSync } from 'node:fs'

/** Role of a process of the product. `native` runs a model, `probe` measures an upload. */
export type Role = 'supervisor' | 'server' | 'engine' | 'database' | 'whisper' | 'llama' | 'ffmpeg' | 'probe' | 'other'

export interface ProductProcess {
  pid: number
  role: Role
  /** Start time in clock ticks since the machine booted: distinguishes processes that had the same pid. */
  startedAtTicks: number
}

const scripts: [suffix: string, role: Role][] = [
  ['scripts/start.ts', 'supervisor'],
  ['embedded-db/main.ts', 'database'],
  ['server/main.ts', 'server'],
  ['engine/main.ts', 'engine'],
  ['engine/probe-main.ts', 'probe'],
  ['engine/spectrogram-main.ts', 'probe'],
  ['engine/clip-main.ts', 'probe'],
  ['engine/ffmpeg-version-main.ts', 'probe'],
  ['whisper-child.ts', 'whisper'],
  ['llama-child.ts', 'llama'],
]

/** Reads the role of a process from its command line. */
export function roleOf(commandLine: readonly string[]): Role {
  if (/(^|\/)ffmpeg$/.test(commandLine[0] ?? '')) return 'ffmpeg'
  // The script is the first argument that is not an option.
  const script = commandLine.slice(1).find((argument) => !argument.startsWith('-')) ?? ''
  return scripts.find(([suffix]) => script.endsWith(suffix))?.[1] ?? 'other'
}

/**
 * Lists the live processes whose environment holds `mark`. Every process of a run has a temporary folder of the run in TMPDIR, which
 * even the native children inherit, so orphans are found too.
 */
export function listProcesses(mark: string): ProductProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name), mark))
    .filter((found) => found !== undefined)
}

function readProcess(pid: number, mark: string): ProductProcess | undefined {
  try {
    if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)) return undefined
    // After the name in parentheses, which may contain anything: state, parent, ... The start time is field 22 of the whole line.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    if (fields[0] === 'Z') return undefined
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
    return { pid, role: roleOf(commandLine), startedAtTicks: Number(fields[19]) }
  } catch {
    return undefined // has exited, or belongs to another user
  }
}

/** Returns a process's resident memory and its peak; 0 when it has exited. */
export function readMemory(pid: number): { residentBytes: number; peakBytes: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
    return { residentBytes: read('VmRSS'), peakBytes: read('VmHWM') }
  } catch {
    return { residentBytes: 0, peakBytes: 0 }
  }
}

/** Sends a signal. Returns false when the process has exited. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
