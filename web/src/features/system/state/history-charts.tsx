import type { InstanceState, WorkDay } from '#contract/entities/instance-state.ts'
import { t } from '#contract/texts/t.ts'
import { formatDate, formatNumber, formatSize, formatSpan } from '../../../shared/format.ts'
import { formatSpeed } from '../format-speed.ts'
import { DayChart } from './day-chart.tsx'

interface WorkProps {
  days: WorkDay[]
}

/** Bytes of recordings added on each day. */
export function AddedChart({ days }: { days: InstanceState['disk']['added'] }) {
  const total = days.reduce((sum, { bytes }) => sum + bytes, 0)
  const most = days.reduce((largest, day) => (day.bytes > largest.bytes ? day : largest))
  return (
    <DayChart
      label={t('Added in {count, plural, one {# day} other {# days}}: {total}, most on {day} with {bytes}', {
        count: days.length,
        total: formatSize(total),
        day: formatDate(most.day),
        bytes: formatSize(most.bytes),
      })}
      columns={[t('Added')]}
      days={days.map(({ day, bytes }) => ({ day, value: bytes, figures: [formatSize(bytes)] }))}
    />
  )
}

/** The longest queue of each day. */
export function QueueChart({ days }: WorkProps) {
  const most = days.reduce((largest, day) => ((day.waiting ?? 0) > (largest.waiting ?? 0) ? day : largest))
  const label = t('{days, plural, one {# day} other {# days}}: at most {waiting, number} waited, on {day}', {
    days: days.length,
    waiting: most.waiting ?? 0,
    day: formatDate(most.day),
  })
  return (
    <DayChart
      label={label}
      columns={[t('Waited at most'), t('The oldest')]}
      days={days.map(({ day, waiting, oldest_waiting_seconds: oldest }) => ({
        day,
        value: waiting ?? 0,
        figures:
          waiting === null || oldest === null
            ? [t('not measured')]
            : [
                t('at most {waiting, number} waited', { waiting }),
                t('the oldest for {time}', { time: formatSpan(oldest) }),
              ],
      }))}
      emptyText={t('No job was seen waiting in the last 30 days.')}
    />
  )
}

/** How many times faster than real time recordings were transcribed on each day. */
export function TranscriptionSpeedChart({ days }: WorkProps) {
  const factor = speedFactor(days)
  return (
    <DayChart
      label={t('{days, plural, one {# day} other {# days}}: {speed}, {span} of sound', {
        days: days.length,
        speed: formatSpeed(factor),
        span: formatSpan(sum(days, 'transcribed_seconds')),
      })}
      columns={[t('Speed'), t('Transcribed')]}
      days={days.map((day) => ({
        day: day.day,
        value: speedFactor([day]) > 0 ? 1 / speedFactor([day]) : 0,
        figures:
          day.transcribed_seconds > 0
            ? [formatSpeed(speedFactor([day])), t('{span} of sound', { span: formatSpan(day.transcribed_seconds) })]
            : [t('no work')],
      }))}
      emptyText={t('No work in the last 30 days.')}
    />
  )
}

/** How many lines per second were translated on each day. */
export function TranslationSpeedChart({ days }: WorkProps) {
  return (
    <DayChart
      label={t('{days, plural, one {# day} other {# days}}: {lines, plural, one {# line} other {# lines}} in {span}', {
        days: days.length,
        lines: sum(days, 'translated_lines'),
        span: formatSpan(sum(days, 'translation_work_seconds')),
      })}
      columns={[t('Speed'), t('Translated')]}
      days={days.map((day) => ({
        day: day.day,
        value: linesPerSecond([day]),
        figures:
          day.translated_lines > 0
            ? [
                formatLineSpeed([day]),
                t('{lines, plural, one {# line} other {# lines}}', { lines: day.translated_lines }),
              ]
            : [t('no work')],
      }))}
      emptyText={t('No work in the last 30 days.')}
    />
  )
}

/** Returns the seconds of work per second of audio over these days; 0 if there was no work. */
export function speedFactor(days: WorkDay[]): number {
  const seconds = sum(days, 'transcribed_seconds')
  return seconds === 0 ? 0 : sum(days, 'transcription_work_seconds') / seconds
}

/** Returns `0.8 s per line`, over these days. */
export function formatLineSpeed(days: WorkDay[]): string {
  const speed = linesPerSecond(days)
  return speed === 0 ? t('not measured') : t('{seconds} s per line', { seconds: formatNumber(1 / speed, 2) })
}

function linesPerSecond(days: WorkDay[]): number {
  const seconds = sum(days, 'translation_work_seconds')
  return seconds === 0 ? 0 : sum(days, 'translated_lines') / seconds
}

function sum(
  days: WorkDay[],
  name: 'transcribed_seconds' | 'transcription_work_seconds' | 'translated_lines' | 'translation_work_seconds',
): number {
  return days.reduce((total, day) => total + day[name], 0)
}
