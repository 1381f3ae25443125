import type { RecordingDetails } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'

/** Describes the channels of a recording and how many speakers they represent. */
export function describeChannels({ channels, is_stereo }: Pick<RecordingDetails, 'channels' | 'is_stereo'>): string {
  if (is_stereo) return t('Stereo, two speakers')
  if (channels > 2) {
    return t('{channels, plural, one {# channel, mixed into one} other {# channels, mixed into one}}', { channels })
  }
  return channels > 1 ? t('Stereo with equal channels, heard as mono') : t('Mono')
}
