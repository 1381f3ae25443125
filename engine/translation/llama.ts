import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { ModelProvenance } from '#contract/provenance.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import type { CallChild } from '#engine/child/native-child.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { assertUnchanged } from '#engine/models/pin-model.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { freeThreads, threadsFor } from '#engine/threads.ts'
import { llamaVersion } from './llama-version.ts'
import type { Answer, LlamaMethods, LoadedFacts, LoadParams } from './llama-child.ts'
import { answerRoom } from './profiles/answer-room.ts'
import { buildPrompt } from './profiles/build-prompt.ts'
import { resolveProfile, samplingFor } from './profiles/profile.ts'
import type { TranslationRequest } from './profiles/request.ts'
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
  /** Called with the translator's warning whenever the model was loaded and there is one. */
  onWarning?: (message: string) => void
}

/** What one call may be given beside the text: see TranslationRequest. */
export type AskOptions = Omit<TranslationRequest, 'text' | 'pair'> & { signal?: AbortSignal }

export interface Translator {
  model: TranslationModel
  /**
   * The model's bare answer to one text, or that the text is too long for one call. translate.ts makes a translation of it. An
   * abort kills the process and rejects with `job_cancelled`; the next call starts another. Rejects with ModelChanged where the files
   * of a pinned model are other ones by now.
   */
  ask(text: string, pair: LanguagePair, options?: AskOptions): Promise<Answer>
  /** A sentence on what makes translations of this model doubtful, known once it was loaded; null where nothing does. */
  warning(): string | null
  /** Which model and engine translate, and how. */
  provenance(): ModelProvenance
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
  const { model, gpu = false, mostContextTokens = 4096, signal, onWarning } = options
  const profile = resolveProfile(model)
  const threads = followFreeThreads(threadsFor(model, options.threads))
  let warning: string | null = null
  await verifyModel(model, { signal })
  const child = startNativeChild<LlamaMethods>({
    name: 'The translation engine',
    script: join(import.meta.dirname, 'llama-child.ts'),
    async prepare(call) {
      const facts = await loadModel(call, model, {
        modelPath: model.path,
        threads: await threads(),
        gpu,
        mostContextTokens,
        form: profile.form,
        template: profile.template,
      })
      warning = warningOf(model, facts)
      if (warning !== null) onWarning?.(warning)
    },
  })
  return {
    model,
    async ask(text, pair, { signal, ...context } = {}) {
      const request = { text, pair, ...context }
      const params = {
        prompt: buildPrompt(request, profile),
        text,
        maxTokens: answerRoom(text, pair.target, profile),
        stop: request.isNumbered ? [] : profile.stop,
        sampling: samplingFor(profile, request),
        threads: await threads(),
      }
      const ask = () => child.call('answer', params, { signal, timeoutMs: longestCallMs })
      await assertUnchanged(model, { signal })
      const answer = await ask().catch((error: unknown) => {
        if (error instanceof ChildDied) return ask()
        throw error
      })
      // A process that was started meanwhile has loaded what was there then.
      await assertUnchanged(model, { signal })
      return answer
    },
    provenance: () => ({
      model_id: model.id,
      model_name: model.name,
      model_hash: model.contentHash ?? null,
      engine: 'llama.cpp',
      engine_version: llamaVersion,
      settings: { ...profile, ...samplingFor(profile, {}) },
      created_at: new Date().toISOString(),
    }),
    warning: () => warning,
    cpuMs: child.cpuMs,
    pid: child.pid,
    close: child.close,
  }
}

/** How long a look at the free CPUs holds. */
const threadsHoldMs = 10_000

/** Returns what looks at the free CPUs again from time to time: what else the machine does changes during a long job. */
function followFreeThreads(most: number): () => Promise<number> {
  let known = 1
  let oldAt = 0
  return async () => {
    if (performance.now() < oldAt) return known
    known = await freeThreads(most)
    oldAt = performance.now() + threadsHoldMs
    return known
  }
}

async function loadModel(
  call: CallChild<LlamaMethods>,
  model: TranslationModel,
  params: LoadParams,
): Promise<LoadedFacts> {
  try {
    return await call('load', params)
  } catch (error) {
    if (!(error instanceof ChildMethodError)) throw error
    throw new AppError(
      'model_unavailable',
      `The model ${model.name} could not be loaded: ${firstLine(error.message)}`,
      {
        help: params.gpu
          ? `npm run awaz -- gpu install ${params.gpu} fetches what translates on it; without TRANSLATION_GPU the CPU does.`
          : 'The file may be damaged, of a kind this version does not know, or too large for the free memory.',
        cause: error,
      },
    )
  }
}

/** A model asked in a way it was not trained for writes on and on, or the text again. */
function warningOf(model: TranslationModel, { hasTemplate, promptFormat }: LoadedFacts): string | null {
  const { form } = resolveProfile(model)
  if (hasTemplate || !(form === 'chat' || form === 'plain' || form === 'hy-mt')) return null
  return (
    `The file of the model ${model.name} says nothing of how its chats are written; ${promptFormat} was guessed. ` +
    'Give its entry in the catalogue a profile: the form completion for weights without instruction tuning, or a template.'
  )
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return /[.!?]$/u.test(line) ? line : `${line}.`
}
