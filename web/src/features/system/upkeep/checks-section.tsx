import { Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { DoctorFinding } from '#contract/entities/upkeep.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatMoment } from '../../../shared/format.ts'
import { PolledContent } from '../polled-content.tsx'
import stateClasses from '../state/state.module.css'
import { CommandLine } from './command-line.tsx'
import { CommandMessage } from './command-message.tsx'
import { RunEnd, RunProgress } from './run-progress.tsx'
import classes from './upkeep.module.css'
import { isRunning, useChecks, useUpkeepCommands } from './use-upkeep.ts'
import common from '../../../shared/ui/common.module.css'

/** What `awaz doctor` finds. */
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

const order: DoctorFinding['severity'][] = ['problem', 'warning', 'note']
const severities = { problem: t('Problem:'), warning: t('Warning:'), note: t('Note:') }

function Findings({ at, findings }: { at: string; findings: DoctorFinding[] }) {
  const needAction = findings.filter(({ severity }) => severity !== 'note')
  const sorted = findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  return (
    <>
      <Text c="dimmed" size="sm" title={formatMoment(at)}>
        {t('Checked {ago}.', { ago: formatAgo(at) })}
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

function Finding({ finding: { code, severity, title, what, why, remedy, command } }: { finding: DoctorFinding }) {
  const Icon = severity === 'problem' ? IconAlertTriangle : IconInfoCircle
  return (
    <li data-severity={severity}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <div className={classes.finding}>
        <VisuallyHidden>{severities[severity]}</VisuallyHidden>
        <div className={classes.said}>
          <CommandMessage className={stateClasses.title}>{title}</CommandMessage>
          <CommandMessage>{what}</CommandMessage>
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
