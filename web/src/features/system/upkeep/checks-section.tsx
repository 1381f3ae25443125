import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { Link } from 'react-router-dom'
import type { AffectedRecording, FindingWithRecordings } from '#contract/entities/upkeep.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatMoment } from '../../../shared/format.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { SeverityIcon } from '../../../shared/ui/severity-icon.tsx'
import { PolledContent } from '../polled-content.tsx'
import stateClasses from '../state/state.module.css'
import { CommandLine } from './command-line.tsx'
import { CommandMessage } from './command-message.tsx'
import { RunEnd, RunProgress } from './run-progress.tsx'
import classes from './upkeep.module.css'
import { isRunning, useChecks, useUpkeepCommands } from './use-upkeep.ts'
import common from '../../../shared/ui/common.module.css'

/** The findings of `awaz doctor`. */
export function ChecksSection() {
  const query = useChecks()
  const { check, cancel, isPending } = useUpkeepCommands()
  const isUnderWay = isRunning(query.data?.run)
  return (
    <section className={stateClasses.section} aria-labelledby="checks">
      <div className={classes.head}>
        <Title order={2} id="checks">
          {t('Checks')}
        </Title>
        <Button
          variant="default"
          size="xs"
          onClick={check}
          loading={isPending && !isUnderWay}
          disabled={query.data?.is_busy ?? true}
        >
          {t('Check now')}
        </Button>
      </div>
      <PolledContent
        query={query}
        loadingText={t('Loading the checks')}
        failureText={t('The checks could not be loaded.')}
      >
        {({ last, run }) => (
          <Stack gap="sm">
            {isRunning(run) ? (
              <RunProgress
                run={run}
                label={t('Progress of the checks')}
                isPending={isPending}
                onCancel={() => cancel(run.id)}
              />
            ) : (
              <RunEnd run={run} />
            )}
            {last ? <Findings at={last.at} findings={last.findings} /> : <NeverChecked />}
          </Stack>
        )}
      </PolledContent>
    </section>
  )
}

function NeverChecked() {
  return (
    <Text c="dimmed">
      {t(
        'Not checked yet. The checks look at settings, database, sound files, disks, models, mail, the public address and backups; nothing is changed.',
      )}
    </Text>
  )
}

const order: FindingWithRecordings['severity'][] = ['problem', 'warning', 'note']

function Findings({ at, findings }: { at: string; findings: FindingWithRecordings[] }) {
  const needAction = findings.filter(({ severity }) => severity !== 'note')
  const sorted = findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  return (
    <>
      <Text c="dimmed" size="sm" title={formatMoment(at)}>
        {needAction.length === 0
          ? t('Checked {ago}.', { ago: formatAgo(at) })
          : t('Checked {ago}: {count, plural, one {# issue} other {# issues}}.', {
              ago: formatAgo(at),
              count: needAction.length,
            })}
      </Text>
      {needAction.length === 0 && (
        <Group gap="sm" wrap="nowrap" p={20} c="var(--awaz-custom)" className={common.surface}>
          <IconCircleCheck size={22} stroke={1.5} aria-hidden />
          <Text>{t('Everything is in order.')}</Text>
        </Group>
      )}
      {sorted.length > 0 && (
        <ul className={stateClasses.warnings}>
          {sorted.map((finding, index) => (
            <Finding key={index} finding={finding} />
          ))}
        </ul>
      )}
    </>
  )
}

function Finding({ finding }: { finding: FindingWithRecordings }) {
  const { code, severity, title, what, why, remedy, command, recordings = [] } = finding
  return (
    <li>
      <SeverityIcon severity={severity} />
      <div className={classes.finding}>
        <div className={classes.said}>
          <CommandMessage className={stateClasses.title}>{title}</CommandMessage>
          <CommandMessage>{what}</CommandMessage>
          {recordings.length > 0 && <RecordingList recordings={recordings} />}
          <CommandMessage className={stateClasses.remedy}>{why}</CommandMessage>
          <CommandMessage>{remedy}</CommandMessage>
        </div>
        {command !== undefined && <CommandLine command={command} />}
        <code className={classes.code} dir="ltr">
          {code}
        </code>
      </div>
    </li>
  )
}

/** Identifies recordings by owner and upload time, as in the audit trail; by name for users who may read them. */
function RecordingList({ recordings }: { recordings: AffectedRecording[] }) {
  return (
    <ul className={classes.recordings}>
      {recordings.map(({ id, name, owner, uploaded_at, can_open }) => (
        <li key={id}>
          {name !== null && <RecordingName id={id} name={name} canOpen={can_open} />}
          <span>
            {rich('recording of {owner}, uploaded {moment}', {
              owner: <Isolated>{owner}</Isolated>,
              moment: formatMoment(uploaded_at),
            })}
          </span>
          <code className={classes.code} dir="ltr">
            {id}
          </code>
        </li>
      ))}
    </ul>
  )
}

function RecordingName({ id, name, canOpen }: { id: string; name: string; canOpen: boolean }) {
  if (!canOpen) return <Isolated>{name}</Isolated>
  return (
    <Anchor component={Link} to={`/transcribe?recording=${id}`} size="sm">
      <Isolated>{name}</Isolated>
    </Anchor>
  )
}
