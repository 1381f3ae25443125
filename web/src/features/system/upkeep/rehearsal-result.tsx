import { Table } from '@mantine/core'
import type { Response } from '#contract/endpoint.ts'
import type { upkeep } from '#contract/endpoints/upkeep.ts'
import type { RehearsalCheck } from '#contract/entities/upkeep.ts'
import { t } from '#contract/texts/t.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { formatAgo, formatMoment } from '../../../shared/format.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import classes from './upkeep.module.css'

type Last = NonNullable<Response<typeof upkeep.backups>['last']>

/** What the last rehearsal compared. Collections with all their documents share one row. */
export function RehearsalResult({ last: { at, name, checks } }: { last: Last }) {
  const made = nameBackup(name)
  const failed = checks.filter(({ is_passed }) => !is_passed).length
  const documents = checks.filter(({ code }) => code === 'documents')
  const whole = documents.filter(({ is_passed }) => is_passed).length
  const others = checks.filter(({ code, is_passed }) => code !== 'documents' || !is_passed)
  return (
    <details className={classes.result} open={failed > 0}>
      <summary>
        {failed === 0
          ? t('The rehearsal of the backup of {made} passed {ago}: it restores.', { made, ago: formatAgo(at) })
          : t(
              'The rehearsal of the backup of {made} failed {ago}: {count, plural, one {# check} other {# checks}} of {all, number}.',
              { made, ago: formatAgo(at), count: failed, all: checks.length },
            )}
      </summary>
      <Table.ScrollContainer minWidth={240} maxHeight={360}>
        <Table verticalSpacing="xs">
          <Table.Caption>
            <Isolated>{name}</Isolated>
          </Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Compared')}</Table.Th>
              <Table.Th>{t('In the backup')}</Table.Th>
              <Table.Th>{t('Restored')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Row
              label={t('Collections with all their documents')}
              expected={String(documents.length)}
              found={String(whole)}
              isPassed={whole === documents.length}
            />
            {others.map((check) => (
              <Row
                key={check.name}
                label={nameCheck(check)}
                expected={check.expected}
                found={check.found}
                isPassed={check.is_passed}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </details>
  )
}

/** Returns when an archive was made, from its name: it may no longer be among the backups. */
function nameBackup(archive: string): string {
  const [, ...parts] = /^awaz-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(archive) ?? []
  const [year, month, day, hour, minute, second] = parts
  return second === undefined
    ? isolateName(archive)
    : formatMoment(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

const names: Partial<Record<RehearsalCheck['code'], string>> = {
  audio: t('Sound files, drawn at random'),
  sign_in: t('Sign-in of a new account'),
  transcript: t('Opening a transcript'),
  transcription: t('Transcription of the sample call'),
}

/** Translates the name of a check, in which the command includes the collection: `documents in jobs`. */
function nameCheck({ code, name }: Pick<RehearsalCheck, 'code' | 'name'>): string {
  if (code === 'documents') return t('Documents in {collection}', { collection: name.replace('documents in ', '') })
  return names[code] ?? name
}

interface RowProps {
  label: string
  expected: string
  found: string
  isPassed: boolean
}

function Row({ label, expected, found, isPassed }: RowProps) {
  return (
    <Table.Tr data-failed={!isPassed || undefined}>
      <Table.Td>
        {label}
        <span className={classes.outcome}>{isPassed ? t('passed') : t('failed')}</span>
      </Table.Td>
      <Table.Td>{describe(expected)}</Table.Td>
      <Table.Td>{describe(found)}</Table.Td>
    </Table.Tr>
  )
}

/** Translates the command's words; keeps unknown ones, such as the status of a failed call. */
function describe(words: string): string {
  const count = Number(/^(\d+)/.exec(words)?.[1])
  if (/^\d+ as uploaded$/.test(words)) return t('{count, number} as uploaded', { count })
  const lines = /^opens \((\d+) lines\)$/.exec(words)?.[1]
  if (lines !== undefined) return t('opens, {lines, plural, one {# line} other {# lines}}', { lines: Number(lines) })
  const [, all, equal] = /^(\d+) lines(?:, (\d+) as expected)?$/.exec(words) ?? []
  if (equal !== undefined)
    return t('{all, plural, one {# line} other {# lines}}, {equal, number} as expected', {
      all: Number(all),
      equal: Number(equal),
    })
  if (all !== undefined) return t('{count, plural, one {# line} other {# lines}}', { count: Number(all) })
  return known[words] ?? words
}

const known: Record<string, string> = {
  works: t('works'),
  opens: t('opens'),
  none: t('none'),
  'none in the backup': t('none in the backup'),
  'a model on this machine': t('a model on this machine'),
  'none on this machine': t('none on this machine'),
}
