import { Text, Title } from '@mantine/core'
import type { Response } from '#contract/endpoint.ts'
import type { system } from '#contract/endpoints/system.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo } from '../../shared/format.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { ConsolePage } from '../admin/console-page.tsx'
import { EngineItem } from './engine-item.tsx'
import { PolledContent } from './polled-content.tsx'
import { ServerItem } from './server-item.tsx'
import { InstanceState } from './state/instance-state.tsx'
import classes from './system.module.css'
import { useSystem } from './use-system.ts'

type Status = Response<typeof system.status>

/** The engines that do the work, and the servers that they use. */
export function SystemPage() {
  return (
    <ConsolePage title={t('System')} lead={t('How the instance is, and the engines that do the work.')}>
      <InstanceState />
      <SystemContent />
    </ConsolePage>
  )
}

function SystemContent() {
  return (
    <PolledContent query={useSystem()} what={t('the system')}>
      {(status) => <Status status={status} />}
    </PolledContent>
  )
}

function Status({ status: { engines, speech_servers, translation_servers, ...rest } }: { status: Status }) {
  return (
    <>
      <Text mb="lg">
        {count(rest.running_jobs, 'job')} under way, {rest.queued_jobs} waiting. Awaz {rest.version}.
      </Text>
      <section className={classes.section} aria-labelledby="engines">
        <Title order={2} id="engines">
          {t('Engines')}
        </Title>
        {engines.length === 0 ? (
          <div className={classes.surface}>
            <Notice title={t('No engine is running')}>
              {t('Recordings and texts wait until one runs. Its log says why it does not start.')}
            </Notice>
          </div>
        ) : (
          <ul className={classes.items}>
            {engines.map((engine) => (
              <EngineItem key={engine.id} engine={engine} />
            ))}
          </ul>
        )}
      </section>
      <Servers id="speech-servers" kind={t('Transcription')} verb="transcribe" servers={speech_servers} />
      <Servers id="translation-servers" kind={t('Translation')} verb="translate" servers={translation_servers} />
      <section className={classes.section} aria-labelledby="mail">
        <Title order={2} id="mail">
          {t('Mail')}
        </Title>
        <MailStatus mail={rest.mail} />
      </section>
      <section className={classes.section} aria-labelledby="library">
        <Title order={2} id="library">
          {t('Library')}
        </Title>
        <LibraryStatus library={rest.library} />
      </section>
    </>
  )
}

function MailStatus({ mail: { ok, message } }: Pick<Status, 'mail'>) {
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
  if (ok) return <Text c="dimmed">{sentence}</Text>
  return (
    <div className={classes.surface}>
      <Notice title={sentence}>
        {t('Mails wait in the outbox and are sent when it answers. Super admins see why on the page Mail.')}
      </Notice>
    </div>
  )
}

function LibraryStatus({ library }: Pick<Status, 'library'>) {
  if (!library)
    return <Text c="dimmed">{t('Not checked yet: an engine checks it when it starts and each night.')}</Text>
  const { checked_at, recordings, repaired, failed, repaired_ever } = library
  const repairs = Object.values(repaired).reduce((sum, number) => sum + number, 0)
  return (
    <>
      <Text c="dimmed">
        Lists, search, alerts, jobs and cases of {count(recordings, 'recording')} checked {formatAgo(checked_at)}:{' '}
        {repairs} repaired, {repaired_ever} in all checks.
      </Text>
      {failed > 0 && (
        <Notice title={`${count(failed, 'repair')} failed`}>
          {t('The log of the engine says why; the next check repeats them.')}
        </Notice>
      )}
    </>
  )
}

interface ServersProps {
  id: string
  kind: string
  /** What the engines do themselves where there are no servers. */
  verb: string
  servers: RemoteServerStatus[]
}

function Servers({ id, kind, verb, servers }: ServersProps) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Title order={2} id={id}>
        {kind} servers
      </Title>
      {servers.length === 0 ? (
        <Text c="dimmed">None are set: the engines {verb} by themselves.</Text>
      ) : (
        <ul className={classes.items}>
          {servers.map((server) => (
            <ServerItem key={server.address} server={server} />
          ))}
        </ul>
      )}
    </section>
  )
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
