import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Response } from '#contract/endpoint.ts'
import type { upkeep } from '#contract/endpoints/upkeep.ts'
import type { Backup } from '#contract/entities/upkeep.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatMoment, formatSize } from '../../../shared/format.ts'
import { PolledContent } from '../polled-content.tsx'
import stateClasses from '../state/state.module.css'
import { CommandLine } from './command-line.tsx'
import { CommandMessage } from './command-message.tsx'
import { RehearsalResult } from './rehearsal-result.tsx'
import { RunEnd, RunProgress } from './run-progress.tsx'
import classes from './upkeep.module.css'
import { isRunning, useBackups, useUpkeepCommands } from './use-upkeep.ts'

type Backups = Response<typeof upkeep.backups>

/** The backups in BACKUP_DIR, each of which can be rehearsed. */
export function BackupsSection() {
  return (
    <section className={stateClasses.section} aria-labelledby="backups">
      <Title order={2} id="backups">
        {t('Backups')}
      </Title>
      <PolledContent
        query={useBackups()}
        loadingText={t('Loading the backups')}
        failureText={t('The backups could not be loaded.')}
      >
        {(state) => <BackupList state={state} />}
      </PolledContent>
    </section>
  )
}

function BackupList({ state }: { state: Backups }) {
  const { folder, problem, backups, unreadable, last, run, is_busy } = state
  const { rehearse, cancel, isPending } = useUpkeepCommands()
  if (folder === null) {
    return (
      <Text c="dimmed">
        {t('No folder for backups is set on this server. Its documentation says how one is made every day.')}
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      {isRunning(run) ? (
        <RunProgress
          run={run}
          label={t('Progress of the rehearsal')}
          isPending={isPending}
          onCancel={() => cancel(run.id)}
        />
      ) : (
        <RunEnd run={run} />
      )}
      {last && !isRunning(run) && <RehearsalResult last={last} />}
      {problem !== null && (
        <div className={classes.end} role="alert">
          <p>{t('The backups could not be listed. The command says:')}</p>
          <CommandMessage className={classes.said}>{problem}</CommandMessage>
        </div>
      )}
      {unreadable > 0 && (
        <Text size="sm">
          {t(
            '{count, plural, one {# record of a backup is} other {# records of backups are}} damaged. The checks say which.',
            {
              count: unreadable,
            },
          )}
        </Text>
      )}
      {backups.length === 0 && problem === null && <Text c="dimmed">{t('There is no finished backup yet.')}</Text>}
      {backups.length > 0 && (
        <ul className={classes.backups}>
          {backups.map((backup) => (
            <BackupItem
              key={backup.name}
              backup={backup}
              isDisabled={is_busy || isPending}
              onRehearse={() => rehearse(backup.name)}
            />
          ))}
        </ul>
      )}
    </Stack>
  )
}

interface BackupItemProps {
  backup: Backup
  isDisabled: boolean
  onRehearse: () => void
}

function BackupItem({ backup, isDisabled, onRehearse }: BackupItemProps) {
  const made = formatMoment(backup.made_at)
  return (
    <li>
      <Stack gap={4} flex="1 1 18rem" miw={0}>
        <p className={stateClasses.title}>{made}</p>
        <p className={stateClasses.remedy}>
          {t(
            '{recordings, plural, one {# recording} other {# recordings}}, {size}, of it {added} new. Awaz {version}.',
            {
              recordings: backup.recordings,
              size: formatSize(backup.size_bytes),
              added: formatSize(backup.new_bytes),
              version: backup.version,
            },
          )}
        </p>
        {backup.faulty_recordings > 0 && (
          <p className={stateClasses.remedy}>
            {t('The sound of {count, plural, one {# recording} other {# recordings}} was missing or damaged.', {
              count: backup.faulty_recordings,
            })}
          </p>
        )}
        {backup.damaged_documents > 0 && (
          <p className={stateClasses.remedy}>
            {t(
              '{count, plural, one {# document of the database was damaged.} other {# documents of the database were damaged.}}',
              { count: backup.damaged_documents },
            )}
          </p>
        )}
        <Group gap={6} align="stretch" mt={4}>
          <Badge variant="default">{encryptions[backup.encryption]}</Badge>
          <Rehearsed rehearsed={backup.rehearsed} />
        </Group>
      </Stack>
      {backup.can_open ? (
        <Button
          variant="default"
          size="xs"
          disabled={isDisabled}
          onClick={onRehearse}
          aria-label={t('Rehearse now: {made}', { made })}
        >
          {t('Rehearse now')}
        </Button>
      ) : (
        <details className={classes.elsewhere}>
          <summary>{t('Rehearse it elsewhere')}</summary>
          <p className={stateClasses.remedy}>
            {t('Its key is not on this server. Run this where the key and the folder of backups are:')}
          </p>
          <CommandLine command={backup.rehearse_command} />
        </details>
      )}
    </li>
  )
}

const encryptions = {
  passphrase: t('Encrypted with a passphrase'),
  recipients: t('Encrypted for a key'),
  none: t('Not encrypted'),
}

function Rehearsed({ rehearsed }: Pick<Backup, 'rehearsed'>) {
  if (!rehearsed) return <Badge variant="default">{t('Not rehearsed')}</Badge>
  const ago = formatAgo(rehearsed.at)
  return rehearsed.is_passed ? (
    <Badge variant="light">{t('Restores: rehearsed {ago}', { ago })}</Badge>
  ) : (
    <Badge variant="light" color="red">
      {t('Rehearsal failed {ago}', { ago })}
    </Badge>
  )
}
