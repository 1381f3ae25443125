import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const Answer = z.object({
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
  language: z.string(),
  seconds: z.number(),
  cpuS: z.number(),
  peakBytes: z.number(),
})
export type FasterWhisperAnswer = z.infer<typeof Answer>

export interface FasterWhisperTask {
  path: string
  /** Null detects it. */
  language: string | null
  /** Whether it uses its own speech detector. Default false. */
  hasDetector?: boolean
}

export interface FasterWhisper {
  transcribe(task: FasterWhisperTask): Promise<FasterWhisperAnswer>
  close(): Promise<void>
}

/** Starts faster-whisper (int8, beam 5, one thread) with a Python that has it and a CTranslate2 model folder. Takes one task at a time. */
export function startFasterWhisper({ python, modelDir }: { python: string; modelDir: string }): FasterWhisper {
  const script = join(import.meta.dirname, 'faster_whisper_bench.py')
  const child = spawn(python, [script, modelDir], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'close')
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async transcribe({ path, language, hasDetector = false }) {
      child.stdin.write(`${JSON.stringify({ path, language, has_detector: hasDetector })}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error(`faster-whisper ended before it answered for ${path}.`)
      return Answer.parse(JSON.parse(value))
    },
    async close() {
      child.stdin.end()
      await gone
    },
  }
}
