import { editDistance } from '#contract/edit-distance.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { alignLines } from './align.ts'
import type { WordPlace } from './align.ts'
import { isSilentAround, isWrongSpeakersWord, timedWords } from './placed-words.ts'
import { overlapMs } from './reference.ts'
import type { Line, ReferenceUtterance } from './reference.ts'

/** A line that begins or ends an utterance, and the difference between their times; negative when the line is early. */
export interface EdgeError {
  line: Line
  utterance: ReferenceUtterance
  errorMs: number
}

/** Counts add up over calls; the definitions are in docs/accuracy.md. */
export interface LineFigures {
  lines: number
  words: number
  wordErrors: number
  starts: EdgeError[]
  ends: EdgeError[]
  /** Lines that span a pause in their own channel of more than 0.8 s, and of more than 2 s. */
  overPause: Line[]
  overLongPause: Line[]
  /** Lines during which the other channel has a whole utterance while their own is silent. */
  overTurn: Line[]
  /** Lines that are not in the order in which they were spoken. */
  outOfOrder: Line[]
  /** Words that the other speaker said while this one was silent. */
  wrongSpeaker: string[]
  /** Words at times when their channel is silent, including those of the wrong speaker. */
  inSilence: string[]
}

const pauseMs = { short: 800, long: 2000 }
/** A line must reach this far into the speech on both sides of a pause to count as spanning it. */
const reachMs = 100
/** Two lines that begin within this time of each other may be in either order. */
const sameTimeMs = 300
/**
 * A line begins an utterance when its first word is among this many first words of the utterance, and ends it when its last word is among
 * this many last words. Otherwise words are missing, which WER counts.
 */
const edgeWords = 3

/** Compares the lines of a call, in the order of its transcript, with the reference. */
export function measureLines(lines: readonly Line[], utterances: readonly ReferenceUtterance[]): LineFigures {
  const channels = ([0, 1] as const).map((channel) => {
    const own = lines.filter((line) => line.channel === channel)
    const said = utterances.filter((utterance) => utterance.channel === channel)
    const others = utterances.filter((utterance) => utterance.channel !== channel)
    return { own, said, others, edges: findEdges(own, said) }
  })
  const beginnings = new Map(
    channels.flatMap(({ edges }) => edges.starts.map(({ line, utterance }) => [line, utterance])),
  )
  const words = channels.flatMap(({ own, said, others }) =>
    own.flatMap(timedWords).map((word) => ({
      text: word.text,
      isSilent: isSilentAround(word, said),
      isWrongSpeakers: isWrongSpeakersWord(word, { said, others }),
    })),
  )
  return {
    lines: lines.length,
    words: sum(channels.map(({ said }) => wordsOf(said).length)),
    wordErrors: sum(channels.map(({ own, said }) => editDistance(wordsOf(said), wordsOf(own)))),
    starts: channels.flatMap(({ edges }) => edges.starts),
    ends: channels.flatMap(({ edges }) => edges.ends),
    overPause: channels.flatMap(({ own, said }) => own.filter((line) => spansPause(line, said, pauseMs.short))),
    overLongPause: channels.flatMap(({ own, said }) => own.filter((line) => spansPause(line, said, pauseMs.long))),
    overTurn: channels.flatMap(({ own, said, others }) => own.filter((line) => holdsTurn(line, said, others))),
    outOfOrder: findOutOfOrder(lines, beginnings),
    wrongSpeaker: words.filter(({ isWrongSpeakers }) => isWrongSpeakers).map(({ text }) => text),
    inSilence: words.filter(({ isSilent }) => isSilent).map(({ text }) => text),
  }
}

function wordsOf(texts: readonly { text: string }[]): string[] {
  return texts.flatMap(({ text }) => foldedWords(text))
}

/** Compares the start of each utterance with the first line that has words of it, and its end with the last such line. */
function findEdges(lines: Line[], said: ReferenceUtterance[]): { starts: EdgeError[]; ends: EdgeError[] } {
  const places = alignLines(lines, said).map((line) => withoutStrays(line.filter((place) => place !== undefined)))
  const first = new Map<number, Line>()
  const last = new Map<number, Line>()
  for (const [index, line] of lines.entries()) {
    for (const place of places[index] ?? []) {
      if (!first.has(place.utterance)) first.set(place.utterance, line)
      last.set(place.utterance, line)
    }
  }
  const starts: EdgeError[] = []
  const ends: EdgeError[] = []
  for (const [index, line] of lines.entries()) {
    const placed = places[index] ?? []
    const [begins, finishes] = [edgeOf(placed[0], said), edgeOf(placed.at(-1), said)]
    if (begins && begins.wordsBefore < edgeWords && first.get(begins.index) === line) {
      starts.push({ line, utterance: begins.utterance, errorMs: line.startMs - begins.utterance.startMs })
    }
    if (finishes && finishes.wordsBehind < edgeWords && last.get(finishes.index) === line) {
      ends.push({ line, utterance: finishes.utterance, errorMs: line.endMs - finishes.utterance.endMs })
    }
  }
  return { starts, ends }
}

/**
 * Drops a first or last word that is not an exact match and is aligned to a different utterance than its neighbor. When an utterance is
 * missing from the transcript, the alignment assigns a word of the next line to it; one letter in common does not prove that it was said
 * there.
 */
function withoutStrays(placed: WordPlace[]): WordPlace[] {
  return placed.filter((place, at) => {
    if (place.isExact || (at > 0 && at < placed.length - 1)) return true
    const neighbour = placed[at === 0 ? 1 : at - 1]
    return !neighbour || neighbour.utterance === place.utterance
  })
}

function edgeOf(place: WordPlace | undefined, said: ReferenceUtterance[]) {
  const utterance = place && said[place.utterance]
  if (!utterance) return undefined
  const count = foldedWords(utterance.text).length
  return { utterance, index: place.utterance, wordsBefore: place.word, wordsBehind: count - 1 - place.word }
}

function spansPause(line: Line, said: ReferenceUtterance[], longerThanMs: number): boolean {
  return said.some((before, index) => {
    const after = said[index + 1]
    if (!after || after.startMs - before.endMs <= longerThanMs) return false
    return line.startMs < before.endMs - reachMs && line.endMs > after.startMs + reachMs
  })
}

function holdsTurn(line: Line, said: ReferenceUtterance[], others: ReferenceUtterance[]): boolean {
  return others.some(
    (other) =>
      line.startMs < other.startMs - reachMs &&
      line.endMs > other.endMs + reachMs &&
      said.every((own) => overlapMs(own, other) === 0),
  )
}

/** Returns the smallest set of lines whose removal leaves the others in the order in which they were spoken. */
function findOutOfOrder(lines: readonly Line[], beginnings: Map<Line, ReferenceUtterance>): Line[] {
  const placed = lines.flatMap((line) => {
    const saidMs = beginnings.get(line)?.startMs
    return saidMs === undefined ? [] : [{ line, saidMs, chain: 1, before: -1 }]
  })
  for (const [index, one] of placed.entries()) {
    for (const [before, other] of placed.slice(0, index).entries()) {
      if (other.saidMs > one.saidMs + sameTimeMs || other.chain < one.chain) continue
      one.chain = other.chain + 1
      one.before = before
    }
  }
  const longestChain = Math.max(0, ...placed.map(({ chain }) => chain))
  const inOrder = new Set<Line>()
  for (let one = placed.find(({ chain }) => chain === longestChain); one; one = placed[one.before])
    inOrder.add(one.line)
  return placed.map(({ line }) => line).filter((line) => !inOrder.has(line))
}

/** Adds the figures of several calls. */
export function addFigures(calls: LineFigures[]): LineFigures {
  return {
    lines: sum(calls.map(({ lines }) => lines)),
    words: sum(calls.map(({ words }) => words)),
    wordErrors: sum(calls.map(({ wordErrors }) => wordErrors)),
    starts: calls.flatMap(({ starts }) => starts),
    ends: calls.flatMap(({ ends }) => ends),
    overPause: calls.flatMap(({ overPause }) => overPause),
    overLongPause: calls.flatMap(({ overLongPause }) => overLongPause),
    overTurn: calls.flatMap(({ overTurn }) => overTurn),
    outOfOrder: calls.flatMap(({ outOfOrder }) => outOfOrder),
    wrongSpeaker: calls.flatMap(({ wrongSpeaker }) => wrongSpeaker),
    inSilence: calls.flatMap(({ inSilence }) => inSilence),
  }
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
