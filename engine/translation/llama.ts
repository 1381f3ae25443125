import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { ModelProvenance } from '#contract/provenance.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { ChildMethodError } from '#engine/child/child-error.ts'
import { type CallChild, startNativeChild } from '#engine/child/native-child.ts'
import { retryOnceAfterCrash } from '#engine/child/retry-once-after-crash.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { assertUnchanged } from '#engine/models/pin-model.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { freeThreads, threadsFor } from '#engine/threads.ts'
import type { Completion, LlamaMethods, LoadedModelInfo, LoadParams } from './llama-child.ts'
import { llamaVersion } from './llama-version.ts'
import { maxCompletionTokens } from './profiles/max-completion-tokens.ts'
import { buildPrompt } from './profiles/build-prompt.ts'
import { resolveProfile, samplingFor } from './profiles/profile.ts'
import type { TranslationRequest } from './profiles/request.ts'
import type { LanguagePair } from './prompt.ts'

export interface TranslatorOptions {
  model: TranslationModel
  /** Maximum number of CPU threads; see availableThreads and threadsFor. Whisper and llama must not both use all of them. */
  threads: number
  /** The GPU backend to use, whose binaries must be installed; by default false, which means the CPU. */
  gpu?: 'cuda' | 'vulkan' | false
  /** Maximum context size in tokens; 4096 by default. The model's context length is a further limit. */
  maxContextTokens?: number
  /** Aborts the verification of the model's file; each call has a separate signal. */
  signal?: AbortSignal
  /** Called with the translator's warning, if there is one, after each load of the model. */
  onWarning?: (message: string) => void
}

/** Optional parts of a request: see TranslationRequest. */
export type CompletionOptions = Omit<TranslationRequest, 'text' | 'pair'> & { signal?: AbortSignal }

export interface Translator {
  model: TranslationModel
  /**
   * Returns the model's unchecked completion for one text, or `too_long`. An abort terminates the process and rejects with
   * `job_cancelled`; the next call starts another process. Rejects with ModelChangedError if the files of a pinned model have changed.
   */
  complete(text: string, pair: LanguagePair, options?: CompletionOptions): Promise<Completion>
  /** Once the model has been loaded, returns why its translations may be unreliable; null if there is no reason. */
  warning(): string | null
  /** Returns the model, the engine and the settings used for translations. */
  provenance(): ModelProvenance
  /** Returns the CPU time used by the child processes, as of the last completion. */
  cpuMs(): number
  /** Returns the child's process id; undefined if none is running. */
  pid(): number | undefined
  /** Terminates the process and waits for it to exit. */
  close(): Promise<void>
}

const callTimeoutMs = 30 * 60_000

/**
 * Creates a translator whose child process starts and loads the model with the first text. A call during which the process crashes is
 * repeated once in a new process; a second crash rejects.
 *
 * @throws AppError `model_unavailable` if the model's file is missing or damaged; the first call throws it if llama.cpp cannot load it
 */
export async function startTranslator(options: TranslatorOptions): Promise<Translator> {
  const { model, gpu = false, maxContextTokens = 4096, signal, onWarning } = options
  const profile = resolveProfile(model)
  const threads = cacheFreeThreads(threadsFor(model, options.threads))
  let warning: string | null = null
  await verifyModel(model, { signal })
  const child = startNativeChild<LlamaMethods>({
    name: 'The translation engine',
    script: join(import.meta.dirname, 'llama-child.ts'),
    async prepare(call) {
      const info = await loadModel(call, model, {
        modelPath: model.path,
        threads: await threads(),
        gpu,
        maxContextTokens,
        form: profile.form,
        template: profile.template,
      })
      warning = findTemplateWarning(model, info)
      if (warning !== null) onWarning?.(warning)
    },
  })
  return {
    model,
    async complete(text, pair, { signal, ...context } = {}) {
      const request = { text, pair, ...context }
      const params = {
        prompt: buildPrompt(request, profile),
        text,
        maxTokens: maxCompletionTokens(text, pair.target, profile),
        stop: request.isNumbered ? [] : profile.stop,
        sampling: samplingFor(profile, request),
        threads: await threads(),
      }
      await assertUnchanged(model, { signal })
      const completion = await retryOnceAfterCrash(() =>
        child.call('complete', params, { signal, timeoutMs: callTimeoutMs }),
      )
      // A process started in the meantime may have loaded other files.
      await assertUnchanged(model, { signal })
      return completion
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

/** How long a count of free CPUs is used. */
const threadsCacheMs = 10_000

/** Returns a function that counts the free CPUs at most every ten seconds: the machine's load changes during a long job. */
function cacheFreeThreads(max: number): () => Promise<number> {
  let known = 1
  let expiresAt = 0
  return async () => {
    if (performance.now() < expiresAt) return known
    known = await freeThreads(max)
    expiresAt = performance.now() + threadsCacheMs
    return known
  }
}

async function loadModel(
  call: CallChild<LlamaMethods>,
  model: TranslationModel,
  params: LoadParams,
): Promise<LoadedModelInfo> {
  try {
    return await call('load', params)
  } catch (error) {
    if (!(error instanceof ChildMethodError)) throw error
    throw new AppError(
      'model_unavailable',
      `The model ${model.name} could not be loaded: ${firstLine(error.message)}`,
      {
        help: params.gpu
          ? `${awazCommand} gpu install ${params.gpu} fetches what translates on it; without TRANSLATION_GPU the CPU does.`
          : 'The file may be damaged, of a kind this version does not know, or too large for the free memory.',
        cause: error,
      },
    )
  }
}

/** A model prompted in a format other than the one it was trained on may not stop, or may repeat the text. */
function findTemplateWarning(model: TranslationModel, { hasTemplate, promptFormat }: LoadedModelInfo): string | null {
  const { form } = resolveProfile(model)
  if (hasTemplate || !(form === 'chat' || form === 'plain' || form === 'hy-mt')) return null
  return (
    `The file of the model ${model.name} has no chat template; ${promptFormat} was guessed. ` +
    'Give its entry in the catalogue a profile: the form completion for weights without instruction tuning, or a template.'
  )
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return /[.!?]$/u.test(line) ? line : `${line}.`
}
