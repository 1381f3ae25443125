import type { RecordingDetails } from '#contract/entities/recording.ts'

/** Describes the channels of a recording and how many speakers they stand for. */
export function describeChannels({ channels, is_stereo }: Pick<RecordingDetails, 'channels' | 'is_stereo'>): string {
  if (is_stereo) return 'Stereo, two speakers'
  if (channels > 2) return `${channels} channels, mixed into one`
  return channels > 1 ? 'Stereo with equal channels, heard as mono' : 'Mono'
}
