import type { TranscriptionResult } from '#contract/transcription.ts'
import type { DescribeSpeaker } from './describe-speaker.ts'

interface SpokenLine {
  speaker: string | undefined
  text: string
}

/** Returns whether texts to copy or keep name the speakers: a speaker was named, or voices were separated. */
export function hasSpeakerNames(
  { speaker_separation: separation, speaker_transcriptions: speakers }: TranscriptionResult,
  describe: DescribeSpeaker,
): boolean {
  return separation?.by === 'voices' || speakers.some(({ speaker }) => describe(speaker).isNameGiven)
}

/** Formats lines turn by turn. The name has a line of its own: it may run in another direction than the text. */
export function formatTurns(lines: SpokenLine[], describe: DescribeSpeaker): string {
  const turns: { label: string | null; name: string; texts: string[] }[] = []
  for (const { speaker, text } of lines) {
    if (!text) continue
    const { label, name } = describe(speaker)
    const last = turns.at(-1)
    if (last?.label === label) last.texts.push(text)
    else turns.push({ label, name, texts: [text] })
  }
  return turns.map(({ name, texts }) => `${name}:\n${texts.join(' ')}`).join('\n\n')
}
