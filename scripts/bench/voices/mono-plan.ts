import { seededRandom } from '#testing/audio.ts'

/** A phrase, which contains no longer pause. */
export interface PhraseLength {
  ms: number
  /** Pause before the next phrase of the same clip; undefined for the clip's last phrase. */
  pauseMs?: number
}

export interface MonoPlanOptions {
  minutes: number
  /** Lengths of the phrases of each voice, in the order in which they were spoken. */
  phrases: readonly (readonly PhraseLength[])[]
  seed: number
}

export interface PlannedPhrase {
  voice: number
  /** An index into that voice's phrases. */
  phrase: number
  startMs: number
  endMs: number
}

/** Most turns are a sentence or two; some are one short phrase. */
const turnMs = { min: 1500, max: 9000 }
const shortTurn = { share: 0.25, maxMs: 2000 }
const gapMs = { min: 150, max: 1500 }
const longGap = { share: 0.1, min: 1500, max: 5000 }
/** Pause between phrases that did not follow each other in the clips. */
const breathMs = { min: 300, max: 700 }
/** Share of overlapping speech, drawn for each call, and the length of an overlap. */
const overlap = { minShare: 0.02, maxShare: 0.1, min: 300, max: 1500 }

/** Plans the turns of a single-channel call. The same seed produces the same call. */
export function planMonoCall({ minutes, phrases, seed }: MonoPlanOptions): PlannedPhrase[] {
  const random = seededRandom(seed)
  const between = ({ min, max }: { min: number; max: number }) => Math.round(min + (max - min) * random())
  const overShare = overlap.minShare + (overlap.maxShare - overlap.minShare) * random()
  const next = phrases.map((list) => Math.floor(random() * list.length))
  const planned: PlannedPhrase[] = []
  let [spokenMs, overMs, atMs] = [0, 0, 500]
  for (let turn = 0, voice = 0; ; turn += 1) {
    const planTurn = random() < shortTurn.share ? planShortPhrase : planPhrases
    const phrasesOfTurn = planTurn(voice, atMs)
    const endMs = phrasesOfTurn.at(-1)?.endMs ?? atMs
    if (endMs >= minutes * 60_000) return planned
    planned.push(...phrasesOfTurn)
    spokenMs += phrasesOfTurn.reduce((sum, phrase) => sum + phrase.endMs - phrase.startMs, 0)
    const isOver = phrases.length > 1 && overMs < overShare * spokenMs && turn > 0
    const lastMs = endMs - (phrasesOfTurn.at(-1)?.startMs ?? endMs)
    const sharedMs = isOver ? Math.min(between(overlap), Math.round(lastMs / 2)) : 0
    overMs += sharedMs
    atMs = sharedMs > 0 ? endMs - sharedMs : endMs + between(random() < longGap.share ? longGap : gapMs)
    voice = nextVoice(voice, turn)
  }

  /** Lets everybody speak once, then chooses at random. */
  function nextVoice(voice: number, turn: number): number {
    if (turn + 1 < phrases.length) return turn + 1
    const others = phrases.length - 1
    return others === 0 ? 0 : (voice + 1 + Math.floor(random() * others)) % phrases.length
  }

  function planPhrases(voice: number, startMs: number): PlannedPhrase[] {
    const list = phrases[voice] ?? []
    const wantedMs = between(turnMs)
    const turn: PlannedPhrase[] = []
    for (let at = startMs; at - startMs < wantedMs;) {
      const index = next[voice] ?? 0
      const { ms = 0, pauseMs } = list[index] ?? {}
      if (turn.length > 0 && at + ms - startMs > turnMs.max) break
      turn.push({ voice, phrase: index, startMs: at, endMs: at + ms })
      next[voice] = (index + 1) % list.length
      at += ms + (pauseMs ?? between(breathMs))
    }
    return turn
  }

  function planShortPhrase(voice: number, startMs: number): PlannedPhrase[] {
    const list = phrases[voice] ?? []
    const short = [...list.keys()].filter((index) => (list[index]?.ms ?? 0) <= shortTurn.maxMs)
    const index = short[Math.floor(random() * short.length)]
    if (index === undefined) return planPhrases(voice, startMs)
    return [{ voice, phrase: index, startMs, endMs: startMs + (list[index]?.ms ?? 0) }]
  }
}
