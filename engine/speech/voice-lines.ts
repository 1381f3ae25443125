import type { SpeakerTurn } from '#engine/speakers/speaker-turns.ts'
import { meanConfidence } from './mean-confidence.ts'
import type { LineWord, TranscriptLine } from './transcript-line.ts'
import type { WindowResult } from './window-result.ts'

/** A line of one voice of its channel. */
export interface VoiceLine extends TranscriptLine {
  /** As in SpeakerTurns; 0 in a channel that was not diarized. */
  voice: number
  /** Whether another voice speaks at the same time for a considerable part of the line. */
  hasOverlap: boolean
}

/** A finished window whose lines are attributed to voices. */
export interface AttributedWindow extends Omit<WindowResult, 'lines'> {
  channel: 0 | 1
  lines: VoiceLine[]
}

/** Attributes the lines of a finished window to the voices of its channel, or all of them to one voice if `turns` is null. */
export function attributeVoices(
  result: WindowResult,
  channel: 0 | 1,
  turns: readonly SpeakerTurn[] | null,
): AttributedWindow {
  const lines = turns
    ? assignVoices(result.lines, turns)
    : result.lines.map((line) => ({ ...line, voice: 0, hasOverlap: false }))
  return { ...result, channel, lines }
}

/**
 * Cost of a voice change between two words, in milliseconds of words attributed to the wrong voice. Turns are accurate to about half a
 * second and word timestamps to a few tenths, so a change close to the end of a sentence is moved there, and a word or two of another voice
 * inside a sentence, such as the listener's "yes", stay in the sentence, because cutting them out would leave two broken lines.
 */
const changeCostMs = { inSentence: 600, atClause: 400, atSentence: 150 }
/** A pause between two words counts like the end of a sentence, because many models do not write periods. */
const minPauseMs = 400
/** Some models return words of zero length. */
const minWordMs = 100
/** Minimum overlap of two voices for a line to be marked, or half of the line if it is shorter. */
const minOverlapMs = 300

/** Assigns each line to a voice, and splits lines in which the voice changes between two words. `turns` are in order of time. */
export function assignVoices(lines: readonly TranscriptLine[], turns: readonly SpeakerTurn[]): VoiceLine[] {
  return lines.flatMap((line) => {
    const near = turnsAt(turns, line)
    const groups = splitByVoice(line.words, near)
    return groups.map((group, index) => {
      const startMs = index === 0 ? line.startMs : (group.words[0]?.startMs ?? line.startMs)
      const endMs = index === groups.length - 1 ? line.endMs : (group.words.at(-1)?.endMs ?? line.endMs)
      return toVoiceLine({ startMs, endMs: Math.max(startMs, endMs) }, group, near)
    })
  })
}

interface Times {
  startMs: number
  endMs: number
}

/** Returns the turns during a line or, if there are none, the nearest one. */
function turnsAt(turns: readonly SpeakerTurn[], line: Times): SpeakerTurn[] {
  const during = turns.filter((turn) => sharedMs(turn, line) > 0)
  if (during.length > 0) return during
  const distance = (turn: SpeakerTurn) => Math.max(turn.startMs - line.endMs, line.startMs - turn.endMs)
  return turns.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1)
}

function sharedMs(a: Times, b: Times): number {
  return Math.max(0, Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs))
}

interface VoiceGroup {
  voice: number
  words: LineWord[]
}

function splitByVoice(words: LineWord[], turns: SpeakerTurn[]): VoiceGroup[] {
  const voices = [...new Set(turns.map(({ voice }) => voice))]
  const path = findCheapestPath(words, voices, turns)
  const groups: VoiceGroup[] = []
  for (const [index, word] of words.entries()) {
    const voice = path[index] ?? 0
    const group = groups.at(-1)
    if (group?.voice === voice) group.words.push(word)
    else groups.push({ voice, words: [word] })
  }
  return groups
}

interface Step {
  costMs: number
  /** The voice of the previous word, as an index into `voices`. */
  from: number
}

/** Returns the voices of the words that minimize the cost of voice changes and of words with the wrong voice (Viterbi algorithm). */
function findCheapestPath(words: LineWord[], voices: number[], turns: SpeakerTurn[]): number[] {
  if (voices.length < 2) return words.map(() => voices[0] ?? 0)
  const steps: Step[][] = []
  for (const [index, word] of words.entries()) {
    const before = steps[index - 1]
    const changeMs = changeCost(words[index - 1], word)
    steps.push(
      voices.map((voice, at) => {
        const { costMs, from } = before ? findCheapestStep(before, at, changeMs) : { costMs: 0, from: at }
        return { costMs: costMs + wrongVoiceMs(word, voice, turns), from }
      }),
    )
  }
  return backtrack(steps).map((at) => voices[at] ?? 0)
}

function findCheapestStep(before: Step[], to: number, changeMs: number): Step {
  const stay = { costMs: before[to]?.costMs ?? 0, from: to }
  return before.reduce(
    (best, { costMs }, from) => (costMs + changeMs < best.costMs ? { costMs: costMs + changeMs, from } : best),
    stay,
  )
}

function backtrack(steps: Step[][]): number[] {
  const last = steps.at(-1) ?? []
  let at = last.reduce((best, { costMs }, index) => (costMs < (last[best]?.costMs ?? 0) ? index : best), 0)
  const path: number[] = []
  for (const step of steps.toReversed()) {
    path.unshift(at)
    at = step[at]?.from ?? at
  }
  return path
}

/** Returns how long other voices speak during a word while this voice does not. Words without letters or digits fit every voice. */
function wrongVoiceMs(word: LineWord, voice: number, turns: SpeakerTurn[]): number {
  if (!/[\p{L}\p{N}]/u.test(word.text)) return 0
  const endMs = Math.max(word.endMs, word.startMs + minWordMs)
  const times = { startMs: word.startMs, endMs }
  const shares = turns.map((turn) => ({ voice: turn.voice, ms: sharedMs(turn, times) }))
  const own = shares.filter((share) => share.voice === voice).reduce((sum, { ms }) => sum + ms, 0)
  const others = shares.filter((share) => share.voice !== voice).reduce((sum, { ms }) => sum + ms, 0)
  return Math.max(0, Math.min(others, endMs - word.startMs - own))
}

function changeCost(before: LineWord | undefined, after: LineWord): number {
  if (!before) return 0
  if (after.startMs - before.endMs >= minPauseMs) return changeCostMs.atSentence
  if (/[.?!؟۔…]["'»”)]*$/u.test(before.text)) return changeCostMs.atSentence
  return /[,;:،؛]$/u.test(before.text) ? changeCostMs.atClause : changeCostMs.inSentence
}

function toVoiceLine(times: Times, { voice, words }: VoiceGroup, turns: SpeakerTurn[]): VoiceLine {
  return {
    ...times,
    text: words.map(({ text }) => text).join(' '),
    confidence: meanConfidence(words),
    words,
    voice,
    hasOverlap: overlapMs(times, voice, turns) >= Math.min(minOverlapMs, (times.endMs - times.startMs) / 2),
  }
}

/** Returns how long another voice speaks at the same time as this one. Turns of one voice do not overlap each other. */
function overlapMs(line: Times, voice: number, turns: SpeakerTurn[]): number {
  const own = turns.filter((turn) => turn.voice === voice)
  const others = turns.filter((turn) => turn.voice !== voice)
  return own.reduce((sum, turn) => {
    const shared = { startMs: Math.max(turn.startMs, line.startMs), endMs: Math.min(turn.endMs, line.endMs) }
    return sum + Math.max(0, ...others.map((other) => sharedMs(other, shared)))
  }, 0)
}
