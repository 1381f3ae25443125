import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { findSpeechModel, findTranslationModel } from '#engine/models/catalog.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { availableThreads } from '#engine/threads.ts'
import { measureNonspeech, measureSpeech } from './accuracy/speech-accuracy.ts'
import type { LanguageFigures } from './accuracy/speech-accuracy.ts'
import { measureTranslation } from './accuracy/translation-accuracy.ts'
import type { Share } from './accuracy/translation-accuracy.ts'

const usage = `Usage: npm run bench -- accuracy [speech|translation] [--count N] [--threads N] [--speech-model FILE] [--translation-model FILE]`

/** Required accuracy of the demo models: word error rates, languages and exact translations, as shares. */
const wanted = {
  given: 0.1,
  auto: 0.15,
  packed: 0.15,
  language: 0.95,
  single: 0.97,
  several: 0.95,
}

/** Measures the demo models through the product's own pipeline, on sentences and voices they were not trained on. */
export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '100' },
      threads: { type: 'string' },
      'speech-model': { type: 'string' },
      'translation-model': { type: 'string' },
    },
  })
  const [part] = positionals
  if (part !== undefined && part !== 'speech' && part !== 'translation') throw new Error(usage)
  const threads = availableThreads(values.threads === undefined ? undefined : Number(values.threads))
  const onProgress = (done: string) => console.error(`  … ${done}`)
  if (part !== 'translation') {
    const model = await replaceFile(await findSpeechModel('demo-speech'), values['speech-model'])
    const backends = createSpeechBackendCache({ threads })
    const options = { model, backends, count: Number(values.count), onProgress }
    try {
      printSpeech(await measureSpeech(options), await measureNonspeech(options))
    } finally {
      await backends.close()
    }
  }
  if (part !== 'speech') {
    const model = await replaceFile(await findTranslationModel('demo-translator'), values['translation-model'])
    printTranslation(await measureTranslation({ model, threads, onProgress }))
  }
}

/** Returns the catalogue's entry with another file, to measure a model before it replaces the current one. */
async function replaceFile<T extends { path: string; sizeBytes: number | null; sha256: string | null }>(
  model: T,
  path: string | undefined,
): Promise<T> {
  if (path === undefined) return model
  const data = await readFile(path)
  return { ...model, path, sizeBytes: data.length, sha256: createHash('sha256').update(data).digest('hex') }
}

function printSpeech(figures: LanguageFigures[], nonspeechWords: number): void {
  console.log('Speech: word error rates on held-back sentences in held-out voices')
  console.table(
    Object.fromEntries(
      figures.map(({ language, given, auto, languageRight, packed, packedWindows, byCondition }) => [
        language,
        {
          utterances: given.texts,
          given: percent(given.rate),
          exact: given.exact,
          clean: percent(byCondition.clean.rate),
          noise: percent(byCondition.noise.rate),
          telephone: percent(byCondition.telephone.rate),
          auto: percent(auto.rate),
          'language right': `${languageRight} of ${auto.texts}`,
          packed: percent(packed.rate),
          windows: packedWindows,
        },
      ]),
    ),
  )
  const all = (rate: (figure: LanguageFigures) => number) => Math.max(...figures.map(rate))
  const right = figures.reduce((sum, { languageRight }) => sum + languageRight, 0)
  const total = figures.reduce((sum, { auto }) => sum + auto.texts, 0)
  verdict(
    `language given: worst ${percent(all(({ given }) => given.rate))}, at most ${percent(wanted.given)}`,
    all(({ given }) => given.rate) <= wanted.given,
  )
  verdict(
    `auto: worst ${percent(all(({ auto }) => auto.rate))}, at most ${percent(wanted.auto)}`,
    all(({ auto }) => auto.rate) <= wanted.auto,
  )
  verdict(
    `language right: ${percent(right / total)}, at least ${percent(wanted.language)}`,
    right / total >= wanted.language,
  )
  verdict(
    `packed windows of 20-28 s: worst ${percent(all(({ packed }) => packed.rate))}, at most ${percent(wanted.packed)}`,
    all(({ packed }) => packed.rate) <= wanted.packed,
  )
  verdict(`words in two minutes without speech: ${nonspeechWords}, none wanted`, nonspeechWords === 0)
}

function printTranslation(shares: Share[]): void {
  console.log('Translation: exactly the expected text')
  console.table(
    Object.fromEntries(shares.map(({ name, right, of }) => [name, { right, of, share: percent(right / of) }])),
  )
  const [single, , several, lines] = shares
  if (!single || !several || !lines) return
  verdict(`single sentences: at least ${percent(wanted.single)}`, single.right / single.of >= wanted.single)
  const both = (several.right + lines.right) / (several.of + lines.of)
  verdict(`texts of 2 to 4 sentences: ${percent(both)}, at least ${percent(wanted.several)}`, both >= wanted.several)
}

function verdict(text: string, isReached: boolean): void {
  console.log(`${isReached ? 'reached    ' : 'NOT REACHED'}  ${text}`)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
