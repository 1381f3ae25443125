import { readdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { describeEvaluation, evaluationsPath, readEvaluations, saveEvaluation } from './evaluations.ts'
import type { Evaluation } from './evaluations.ts'

function evaluation(model: string, sampleHash: string, percent: number): Evaluation {
  return {
    model,
    modelHash: null,
    sample: 'our-calls',
    sampleHash,
    evaluatedAt: '2026-11-22T08:00:00.000Z',
    processor: 'Xeon',
    threads: 2,
    figures: [
      {
        kind: 'speech',
        language: 'fa',
        items: 60,
        failed: 1,
        peakMemoryBytes: 3e8,
        words: 400,
        seconds: 214,
        wer: { value: percent, low: percent - 3, high: percent + 3 },
        cer: { value: 12.1, low: 10, high: 14 },
        realTimeFactor: 0.311,
      },
    ],
  }
}

test('the last evaluation of each model and sample is stored in the models folder', async () => {
  const folder = await temporaryFolder()
  await saveEvaluation(folder, evaluation('base', 'a', 31))
  await saveEvaluation(folder, evaluation('small', 'a', 20))
  await saveEvaluation(folder, evaluation('base', 'b', 40))
  await saveEvaluation(folder, evaluation('base', 'a', 30))
  expect(await readEvaluations(folder)).toEqual([
    evaluation('small', 'a', 20),
    evaluation('base', 'b', 40),
    evaluation('base', 'a', 30),
  ])
  expect(await readdir(folder)).toEqual(['evaluations.json'])
})

test('a missing or damaged file has none', async () => {
  const folder = await temporaryFolder()
  expect(await readEvaluations(folder)).toEqual([])
  await writeFile(evaluationsPath(folder), '{"evaluations": [')
  expect(await readEvaluations(folder)).toEqual([])
})

test('describes errors with their interval, speed, sample and day in a line', () => {
  expect(describeEvaluation(evaluation('base', 'a', 31))).toEqual([
    'fa: WER 31.0% (28.0 to 34.0), CER 12.1%, real-time factor 0.31 (our-calls, 60 recordings, 1 failed, 2026-11-22)',
  ])
})

test('describes chrF and speed of a translation model', () => {
  const { figures: _, ...rest } = evaluation('gemma', 'a', 1)
  const chrf = { value: 41.25, low: 38, high: 44 }
  const figures = {
    kind: 'translation' as const,
    language: 'ps-en',
    items: 1,
    failed: 0,
    peakMemoryBytes: 1,
    chrf,
    linesPerSecond: 0.5,
    charactersPerSecond: 42.4,
    tokensPerSecond: null,
  }
  expect(describeEvaluation({ ...rest, figures: [figures] })).toEqual([
    'ps-en: chrF 41.3 (38.0 to 44.0), 42 characters a second (our-calls, 1 line, 2026-11-22)',
  ])
})
