import type { Channel } from './channel-plan.ts'

/** Identifies one voice of one channel. */
export interface VoiceReference {
  channel: 0 | 1
  voice: number
}

/** A speaker of the transcript: one voice of one channel. */
export interface LabelledVoice<Plan extends Channel> {
  label: string
  plan: Plan
  isSpeakerOf: (line: VoiceReference) => boolean
}

/**
 * Returns the speakers of a transcript in the order of their labels. Each of two channels has a label for the voice that speaks most in it;
 * all other voices get the next letters in the order of their first lines. `lines` are in order of time.
 */
export function labelVoices<Plan extends Channel>(
  plans: Plan[],
  lines: readonly VoiceReference[],
): LabelledVoice<Plan>[] {
  const fixed = plans.length > 1 ? plans.map((plan) => toVoice(plan.speaker, plan, findMainVoice(plan))) : []
  const labelled = [...fixed]
  for (const line of lines) {
    const plan = plans.find(({ channel }) => channel === line.channel)
    if (!plan || labelled.some(({ isSpeakerOf }) => isSpeakerOf(line))) continue
    labelled.push(toVoice(`Speaker ${letterFor(labelled.length)}`, plan, line.voice))
  }
  return labelled
}

function toVoice<Plan extends Channel>(label: string, plan: Plan, voice: number): LabelledVoice<Plan> {
  return { label, plan, isSpeakerOf: (line) => line.channel === plan.channel && (line.voice === voice || !plan.voices) }
}

/** Returns the voice that speaks most in a channel. */
function findMainVoice({ voices }: Channel): number {
  const spokenMs = new Map<number, number>()
  for (const { voice, startMs, endMs } of voices?.turns ?? []) {
    spokenMs.set(voice, (spokenMs.get(voice) ?? 0) + endMs - startMs)
  }
  return [...spokenMs].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

function letterFor(index: number): string {
  return index < 26 ? String.fromCodePoint(65 + index) : String(index + 1)
}
