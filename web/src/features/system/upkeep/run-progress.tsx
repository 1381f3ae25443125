import { Box, Button, Progress, Text } from '@mantine/core'
import type { UpkeepRun } from '#contract/entities/upkeep.ts'
import { t } from '#contract/texts/t.ts'
import { CommandMessage } from './command-message.tsx'
import classes from './upkeep.module.css'

interface RunProgressProps {
  run: UpkeepRun
  /** What is in progress. */
  label: string
  isPending: boolean
  onCancel: () => void
}

/** Labels by the stage names that `awaz backup rehearse` prints. */
const stages: Record<string, string> = {
  'Verifying the backup (files)': t('Verifying the backup'),
  'Restoring audio (files)': t('Restoring sound'),
  'Restoring the database': t('Restoring the database'),
  Comparing: t('Comparing'),
  'Starting the restored instance': t('Starting the restored instance'),
}

/** The progress of a run, with a button that ends it. */
export function RunProgress({ run, label, isPending, onCancel }: RunProgressProps) {
  const { done, total } = run
  const percent = done !== null && total ? (done / total) * 100 : undefined
  return (
    <div className={classes.progress}>
      <Box flex="1 1 14rem">
        <Text size="sm" role="status">
          {describe(run)}
        </Text>
        <Progress
          value={percent ?? 100}
          animated={percent === undefined}
          mt={6}
          aria-label={label}
          {...(percent === undefined && { 'aria-valuetext': t('not known') })}
        />
      </Box>
      <Button variant="default" size="xs" loading={isPending} onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}

function describe({ kind, stage, done, total }: UpkeepRun): string {
  if (stage === null) return t('Starting')
  if (done === null || total === null) return stages[stage] ?? stage
  if (kind === 'checks') return t('Check {done, number} of {total, number}', { done, total })
  return t('{stage}: {done, number} of {total, number}', { stage: stages[stage] ?? stage, done, total })
}

/** How the last run ended if it did not succeed; nothing otherwise. */
export function RunEnd({ run }: { run: UpkeepRun | null }) {
  if (!run || run.outcome === null || run.outcome === 'done') return undefined
  return (
    <div className={classes.end} role={run.outcome === 'failed' ? 'alert' : 'status'}>
      <p>{endings[run.outcome]}</p>
      {run.problem !== null && <CommandMessage className={classes.said}>{run.problem}</CommandMessage>}
    </div>
  )
}

const endings = {
  failed: t('It failed. The command says:'),
  cancelled: t('It was cancelled.'),
  interrupted: t('It was interrupted, because its server stopped.'),
}
