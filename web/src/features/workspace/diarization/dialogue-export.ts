import type { DiarizationResult } from '#contract/entities/job.ts'
import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'

/** Returns the content of a dialogue's export file: the result as it is, with the name of each speaker. */
export function dialogueExport({ num_speakers, dialogue_timeline }: DiarizationResult, describe: DescribeSpeaker) {
  return {
    num_speakers,
    dialogue_timeline: dialogue_timeline.map((line) => ({ ...line, name: describe(line.speaker).name })),
  }
}
