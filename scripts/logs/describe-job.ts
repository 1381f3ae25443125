import { formatDuration, formatTime } from '../cli/duration.ts'
import { formatTable } from '../cli/format-table.ts'
import type { JobFacts } from './job-facts.ts'

/** Returns the facts about a job as text for a terminal. */
export function describeJob(facts: JobFacts): string {
  return [formatTable(listFacts(facts)), listAttempts(facts), formatTable(listAdvice(facts))]
    .filter(Boolean)
    .join('\n\n')
}

function listFacts(facts: JobFacts): string[][] {
  const { queued_at: queued, started_at: started, ended_at: ended, progress, running } = facts
  return rows([
    ['Job', `${facts.id}, ${facts.kind}`],
    ['State', facts.state],
    ['Queued', formatTime(queued)],
    ['Started', started && `${formatTime(started)}, after ${between(queued, started)}`],
    ['Ended', ended && `${formatTime(ended)}, after ${between(started ?? queued, ended)}`],
    ['Running', running && `attempt ${running.attempt} at ${describeEngine(running)}${since(running.started_at)}`],
    ['Progress', progress && describeProgress(progress)],
    [
      'Checkpoints',
      facts.checkpoints > 0 && `${facts.checkpoints} finished parts, with which the next attempt goes on`,
    ],
    ['Waits for', facts.waits_for],
    ['Languages', facts.languages?.join(', ')],
    ['Chosen model', facts.chosen_model],
    ['Recording', facts.recording_id && `${facts.recording_id}${describeLength(facts)}`],
    ['Owner', facts.owner_id],
  ])
}

function listAttempts({ attempts }: JobFacts): string {
  if (attempts.length === 0) return ''
  return formatTable([
    ['ATTEMPT', 'STARTED', 'DURATION', 'ENGINE', 'MODELS', 'RESULT', 'CAUSE'],
    ...attempts.map((attempt) => [
      String(attempt.attempt),
      attempt.started_at ? formatTime(attempt.started_at) : 'unknown',
      attempt.duration_ms === null ? 'unknown' : formatDuration(attempt.duration_ms),
      describeEngine(attempt),
      attempt.models === null ? 'unknown' : attempt.models.join(', ') || 'none',
      attempt.code ?? (attempt.outcome === 'lost' ? 'lost: the engine died or hung' : attempt.outcome),
      attempt.cause ?? '',
    ]),
  ])
}

function listAdvice({ code, message, next_steps: steps, log_command: command }: JobFacts): string[][] {
  return rows([
    ['Error', code && [code, message].filter(Boolean).join(': ')],
    ...steps.map((step, index) => [index === 0 ? 'What to do' : '', step] as const),
    ['Its lines', command],
  ])
}

function rows(all: readonly (readonly [string, string | null | undefined | false])[]): string[][] {
  return all.flatMap(([name, value]) => (value ? [[name.padEnd(12), value]] : []))
}

function describeEngine({ host, pid }: { host: string | null; pid: number | null }): string {
  return host === null ? 'unknown' : `${host}, process ${pid}`
}

function describeProgress({ done, total, seconds_left: left }: NonNullable<JobFacts['progress']>): string {
  return `${done} of ${total}${left === null ? '' : `, about ${formatDuration(left * 1000)} left when it was reported`}`
}

function describeLength({ recording_ms: ms }: JobFacts): string {
  return ms === null ? ', deleted' : `, ${formatDuration(ms)} of sound`
}

function between(from: Date, to: Date): string {
  return formatDuration(Math.max(0, to.getTime() - from.getTime()))
}

function since(time: Date | null): string {
  return time ? `, since ${formatTime(time)}` : ''
}
