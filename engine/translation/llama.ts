import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import type { CallChild } from '#engine/child/native-child.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { threadsFor } from '#engine/threads.ts'
import type { Answer, LlamaMethods } from './llama-child.ts'
import { translationPrompt } from './prompt.ts'
import type { LanguagePair } from './prompt.ts'

export interface TranslatorOptions {
  model: TranslationModel
  /** CPU threads at most; see availableThreads and threadsFor. Whisper and llama must not both have all of them. */
  threads: number
  /** A GPU build that was installed beside the CPU one; false, the CPU, by default. */
  gpu?: 'cuda' | 'vulkan' | false
  /** Most tokens of prompt and answer together; 4096 by default, fewer where the model was trained on fewer. */
  mostContextTokens?: number
  /** Stops the check of the model's file; calls have signals of their own. */
  signal?: AbortSignal
}

export interface Translator {
  model: TranslationModel
  /**
   * The model's bare answer to one text, or that the text is too long for one call. translate.ts makes a translation of it. An
   * abort kills the process and rejects with `job_cancelled`; the next call starts another.
   */
  ask(text: string, pair: LanguagePair, options?: { signal?: AbortSignal }): Promise<Answer>
  /** CPU time used so far by the child processes, as of the last answer. */
  cpuMs(): number
  /** The child's process id, undefined when none runs. */
  pid(): number | undefined
  /** Kills the process and waits until it is gone. */
  close(): Promise<void>
}

const longestCallMs = 30 * 60_000

/**
 * A translation model in a child process, which starts and loads the model with the first text. Throws `model_unavailable` when
 * the model's file is missing or damaged; the first call does when llama cannot load it. A call during which the process dies by
 * itself is repeated once in a new process; what dies twice is a failure (ChildDied).
 */
export async function startTranslator(options: TranslatorOptions): Promise<Translator> {
  const { model, threads, gpu = false, mostContextTokens = 4096, signal } = options
  await verifyModel(model, { signal })
  const child = startNativeChild<LlamaMethods>({
    name: 'The translation engine',
    script: join(import.meta.dirname, 'llama-child.ts'),
    prepare: (call) => loadModel(call, { model, threads: threadsFor(model, threads), gpu, mostContextTokens }),
  })
  return {
    model,
    async ask(text, pair, { signal } = {}) {
      const params = { prompt: translationPrompt(text, pair), text }
      const ask = () => child.call('answer', params, { signal, timeoutMs: longestCallMs })
      try {
        return await ask()
      } catch (error) {
        if (error instanceof ChildDied) return ask()
        throw error
      }
    },
    cpuMs: child.cpuMs,
    pid: child.pid,
    close: child.close,
  }
}

async function loadModel(
  call: CallChild<LlamaMethods>,
  { model, threads, gpu, mostContextTokens }: Required<Omit<TranslatorOptions, 'signal'>>,
): Promise<void> {
  try {
    await call('load', { modelPath: model.path, threads, gpu, mostContextTokens })
  } catch (error) {
    if (!(error instanceof ChildMethodError)) throw error
    throw new AppError(
      'model_unavailable',
      `The model ${model.name} could not be loaded: ${firstLine(error.message)}`,
      {
        help: 'The file may be damaged, of a kind this version does not know, or too large for the free memory.',
        cause: error,
      },
    )
  }
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return /[.!?]$/u.test(line) ? line : `${line}.`
}
