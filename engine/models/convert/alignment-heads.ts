import { z } from 'zod'
import { readJson } from './json-file.ts'
import type { WhisperSizes } from './whisper-tensors.ts'

/** A cross-attention head of the decoder, which attends to the audio. */
export type AlignmentHead = readonly [layer: number, head: number]

/** By the decoder's width and number of layers, for multilingual and English-only models; large-v3 is identified by its vocabulary. */
const known: Record<string, string> = {
  '384x4': '2.2 3.0 3.2 3.3 3.4 3.5',
  '384x4.en': '1.0 2.0 2.5 3.0 3.1 3.2 3.3 3.4',
  '512x6': '3.1 4.2 4.3 4.7 5.1 5.2 5.4 5.6',
  '512x6.en': '3.3 4.7 5.1 5.5 5.7',
  '768x12': '5.3 5.9 8.0 8.4 8.7 8.8 9.0 9.7 9.9 10.5',
  '768x12.en': '6.6 7.0 7.3 7.8 8.2 8.5 8.7 9.0 9.4 9.8 9.10 10.0 10.1 10.2 10.3 10.6 10.11 11.2 11.4',
  '1024x24': '13.15 15.4 15.15 16.1 20.0 23.4',
  '1024x24.en': '11.4 14.1 14.12 14.14 15.4 16.0 16.4 16.9 17.12 17.14 18.7 18.10 18.15 20.0 20.3 20.9 20.14 21.12',
  '1280x32':
    '10.12 13.17 16.11 16.12 16.13 17.15 17.16 18.4 18.11 18.19 19.11 21.2 21.3 22.3 22.9 22.12 23.5 23.7 23.13 25.5 26.1 26.12 27.15',
  '1280x32.v3': '7.0 10.17 12.18 13.12 16.1 17.14 19.11 21.4 24.1 25.6',
  '1280x4.v3': '2.4 2.11 3.3 3.6 3.11 3.14',
}

/** Vocabulary sizes of English-only models, and of large-v3, which has one more language. */
const suffixes: Record<number, string> = { 51_864: '.en', 51_866: '.v3' }

/**
 * Returns the heads of a model of these sizes that follow the audio and give words their times: the known ones for OpenAI's models
 * (whisper.cpp, `g_aheads`), otherwise all heads in the upper half of the layers, as in openai-whisper. large-v1 is treated as large-v2,
 * which has the same sizes.
 */
export function findAlignmentHeads({ textState, textLayers, textHeads, vocabulary }: WhisperSizes): AlignmentHead[] {
  const heads = known[`${textState}x${textLayers}${suffixes[vocabulary] ?? ''}`]
  if (heads !== undefined) return heads.split(' ').map(parseHead)
  const firstLayer = Math.floor(textLayers / 2)
  return Array.from({ length: (textLayers - firstLayer) * textHeads }, (_, index) => [
    firstLayer + Math.floor(index / textHeads),
    index % textHeads,
  ])
}

function parseHead(text: string): AlignmentHead {
  const [layer = 0, head = 0] = text.split('.').map(Number)
  return [layer, head]
}

const HeadList = z.object({ alignment_heads: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])).min(1) })

/** Returns the heads listed in a model's JSON file (`alignment_heads`), in ascending order, or else those for its sizes. */
export async function readAlignmentHeads(path: string, sizes: WhisperSizes): Promise<AlignmentHead[]> {
  const list = HeadList.safeParse(await readJson(path))
  const heads = list.success ? list.data.alignment_heads : []
  const isKnown = heads.every(([layer, head]) => layer < sizes.textLayers && head < sizes.textHeads)
  if (heads.length === 0 || !isKnown) return findAlignmentHeads(sizes)
  return heads.toSorted(([a, b], [c, d]) => a - c || b - d)
}
