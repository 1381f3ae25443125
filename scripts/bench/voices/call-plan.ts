import { seededRandom } from '#testing/audio.ts'

export interface CallPlanOptions {
  minutes: number
  /** Lengths of each speaker's utterances. */
  voiceMs: readonly [readonly number[], readonly number[]]
  /** The same seed gives the same call. */
  seed: number
  /** Minutes without speech in the middle of the call, included in its length. Default none. */
  silentMinutes?: number
}

/** An utterance's place in the call; `voice` is an index into its speaker's utterances. */
export interface PlannedUtterance {
  channel: 0 | 1
  voice: number
  startMs: number
  endMs: number
}

/** Utterances are joined to turns of this length; one that is longer is a turn by itself. */
const turnMs = { min: 2000, max: 9000 }
/** Between utterances of one turn. */
const breathMs = { min: 250, max: 700 }
/** Between turns, and how often. */
const pauses = [
  { share: 0.7, min: 400, max: 2000 },
  { share: 0.2, min: 2000, max: 6000 },
  { share: 0.1, min: 6000, max: 20_000 },
]
/** How often a speaker starts before the other has finished, and how long both speak. */
const overlap = { share: 0.12, min: 300, max: 1500 }
const sameSpeakerShare = 0.15

/** Plans the utterances of a call. Those of each speaker are in shuffled order, all of them before one is repeated. */
export function planCall({ minutes, voiceMs, seed, silentMinutes = 0 }: CallPlanOptions): PlannedUtterance[] {
  const random = seededRandom(seed)
  const decks = [createDeck(voiceMs[0].length, random), createDeck(voiceMs[1].length, random)] as const
  const endMs = minutes * 60_000
  const silence = { startMs: (endMs - silentMinutes * 60_000) / 2, endMs: (endMs + silentMinutes * 60_000) / 2 }
  const planned: PlannedUtterance[] = []
  let channel: 0 | 1 = 0
  let atMs = 500
  for (;;) {
    const turn = planTurn({
      channel,
      startMs: Math.round(atMs),
      voiceMs: voiceMs[channel],
      deck: decks[channel],
      random,
    })
    const turnEndMs = turn.at(-1)?.endMs ?? endMs
    if (turnEndMs >= endMs) return planned
    if (silentMinutes > 0 && turnEndMs > silence.startMs && atMs < silence.endMs) {
      for (const { voice } of turn) decks[channel].putBack(voice)
      atMs = silence.endMs
      continue
    }
    planned.push(...turn)
    const allEndMs = Math.max(...planned.map((utterance) => utterance.endMs))
    const isOver = random() < overlap.share && turnEndMs === allEndMs
    if (isOver) {
      atMs = turnEndMs - Math.min(between(overlap, random), (turnEndMs - atMs) / 2)
      channel = channel === 0 ? 1 : 0
    } else {
      atMs = allEndMs + choosePause(random)
      if (random() >= sameSpeakerShare) channel = channel === 0 ? 1 : 0
    }
  }
}

interface TurnOptions {
  channel: 0 | 1
  startMs: number
  voiceMs: readonly number[]
  deck: Deck
  random: () => number
}

function planTurn({ channel, startMs, voiceMs, deck, random }: TurnOptions): PlannedUtterance[] {
  const wantedMs = between(turnMs, random)
  const turn: PlannedUtterance[] = []
  let atMs = startMs
  while (atMs - startMs < wantedMs) {
    const voice = deck.draw()
    const endMs = atMs + (voiceMs[voice] ?? 0)
    if (turn.length > 0 && endMs - startMs > turnMs.max) {
      deck.putBack(voice)
      break
    }
    turn.push({ channel, voice, startMs: atMs, endMs })
    atMs = endMs + Math.round(between(breathMs, random))
  }
  return turn
}

function choosePause(random: () => number): number {
  let left = random()
  for (const pause of pauses) {
    left -= pause.share
    if (left < 0) return between(pause, random)
  }
  return pauses[0]?.min ?? 0
}

function between({ min, max }: { min: number; max: number }, random: () => number): number {
  return min + (max - min) * random()
}

export interface Deck {
  draw(): number
  putBack(card: number): void
}

/** The numbers below `count` in a random order, again and again. */
export function createDeck(count: number, random: () => number): Deck {
  let left: number[] = []
  return {
    draw() {
      if (left.length === 0) left = Array.from({ length: count }, (_, index) => index)
      return left.splice(Math.floor(random() * left.length), 1)[0] ?? 0
    },
    putBack: (card) => void left.push(card),
  }
}
