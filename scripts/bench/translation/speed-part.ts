import { z } from 'zod'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import type { Translator } from '#engine/translation/llama.ts'
import { maxCompletionTokens } from '#engine/translation/profiles/max-completion-tokens.ts'
import { buildPrompt } from '#engine/translation/profiles/build-prompt.ts'
import { resolveProfile } from '#engine/translation/profiles/profile.ts'
import { startLlamaServer } from '#testing/real-models/llama-server.ts'
import { readNews } from './news-lines.ts'

const pair = { source: 'fa', target: 'en' }

const Completion = z.object({ content: z.string(), tokens_predicted: z.number() })

interface Side {
  tokens: number
  ms: number
}

/** Prints tokens per second of the translator and of llama.cpp's server with the same file, prompts, context and stops, taking turns. */
export async function measureSpeed({ model, lines }: { model: TranslationModel; lines: number }): Promise<void> {
  const texts = await readNews(pair.source, lines + 1)
  const [translator, server] = await Promise.all([startTranslator({ model, threads: 1 }), startLlamaServer()])
  try {
    const [ours, theirs]: [Side, Side] = [
      { tokens: 0, ms: 0 },
      { tokens: 0, ms: 0 },
    ]
    for (const [index, text] of texts.entries()) {
      const own = await timed(() => askOurs(translator, text))
      const other = await timed(() => askServer(server.address, model, text))
      // The first loads the model and reads the examples.
      if (index === 0) continue
      add(ours, own)
      add(theirs, other)
    }
    const [a, b] = [rate(ours), rate(theirs)]
    console.log(`${model.name}, ${lines} lines, one thread: tokens a second, reading the prompt included`)
    console.log(`ours ${a.toFixed(1)}, llama.cpp's own server ${b.toFixed(1)}: ${(a / b).toFixed(2)} times`)
  } finally {
    await Promise.all([translator.close(), server.kill()])
  }
}

async function timed(ask: () => Promise<number>): Promise<Side> {
  const startedAt = performance.now()
  const tokens = await ask()
  return { tokens, ms: performance.now() - startedAt }
}

async function askOurs(translator: Translator, text: string): Promise<number> {
  const completion = await translator.complete(text, pair)
  return completion.kind === 'completion' ? (completion.tokens?.completion ?? 0) : 0
}

async function askServer(address: string, model: TranslationModel, text: string): Promise<number> {
  const profile = resolveProfile(model)
  const prompt = buildPrompt({ text, pair }, profile)
  if (prompt.kind !== 'completion') throw new Error('Speeds are compared with a completion profile.')
  const response = await fetch(`${address}/completion`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      prompt: prompt.text,
      n_predict: maxCompletionTokens(text, pair.target, profile),
      temperature: 0,
      stop: profile.stop,
      cache_prompt: true,
    }),
  })
  if (!response.ok) throw new Error(`The server answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
  return Completion.parse(await response.json()).tokens_predicted
}

function add(sum: Side, { tokens, ms }: Side): void {
  sum.tokens += tokens
  sum.ms += ms
}

function rate({ tokens, ms }: Side): number {
  return tokens / (ms / 1000)
}
