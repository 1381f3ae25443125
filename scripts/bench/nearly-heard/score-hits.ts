import type { PossibleHit } from '#contract/possible-hits.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import type { Line, ReferenceUtterance } from '../voices/reference.ts'
import { isOtherForm } from './choose-keywords.ts'

/** A possible hit, judged: the keyword was `said` there and is missing from the transcript, another form of it was said, or neither. */
export interface JudgedHit {
  kind: 'said' | 'other form' | 'false'
  probability: number
}

export interface KeywordCounts {
  /** Occurrences of keywords. */
  said: number
  /** Those that the transcript has. */
  certain: number
  hits: JudgedHit[]
}

/** Times of lines and utterances may differ by up to this much. */
const slackMs = 1000

interface Transcript {
  lines: readonly Line[]
  possibleHits: readonly PossibleHit[]
}

/** Compares keywords in a transcript, and possible ones, with what was said; `keywords` are folded. */
export function scoreHits(
  { lines, possibleHits }: Transcript,
  utterances: readonly ReferenceUtterance[],
  keywords: ReadonlySet<string>,
): KeywordCounts {
  const heard = lines.flatMap(({ channel, words = [] }) =>
    words.flatMap(({ text, startMs, endMs }) =>
      foldedWords(text).map((word) => ({ channel, word, startMs, endMs, isUsed: false })),
    ),
  )
  const missed = utterances.flatMap((utterance) =>
    foldedWords(utterance.text).flatMap((word) => {
      if (!keywords.has(word)) return []
      const found = heard.find((other) => !other.isUsed && other.word === word && isNear(other, utterance))
      if (found) found.isUsed = true
      return [{ utterance, word, isMissed: !found }]
    }),
  )
  const left = missed.filter(({ isMissed }) => isMissed)
  const hits = possibleHits
    .toSorted((one, other) => other.probability - one.probability)
    .flatMap((hit): JudgedHit[] => {
      const word = foldedWords(hit.keyword).join('')
      const place = { channel: hit.channel === 1 ? 1 : 0, startMs: hit.start * 1000, endMs: hit.end * 1000 } as const
      const index = left.findIndex((other) => other.word === word && isNear(place, other.utterance))
      if (index >= 0) {
        left.splice(index, 1)
        return [{ kind: 'said', probability: hit.probability }]
      }
      const words = utterances.filter((utterance) => isNear(place, utterance)).flatMap(({ text }) => foldedWords(text))
      // It was said there, and is in the transcript or was found already.
      if (words.includes(word)) return []
      return [{ kind: isOtherForm(word, words) ? 'other form' : 'false', probability: hit.probability }]
    })
  return { said: missed.length, certain: missed.length - missed.filter(({ isMissed }) => isMissed).length, hits }
}

interface Place {
  channel: 0 | 1
  startMs: number
  endMs: number
}

function isNear(one: Place, other: Place): boolean {
  return one.channel === other.channel && one.startMs < other.endMs + slackMs && one.endMs > other.startMs - slackMs
}
