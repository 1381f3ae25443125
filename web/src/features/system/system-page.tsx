import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Response } from '#contract/endpoint.ts'
import { system } from '#contract/endpoints/system.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { formatAgo } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { ConsolePage } from '../admin/console-page.tsx'
import { call } from '../../shared/api/client.ts'
import { EngineItem } from './engine-item.tsx'
import { PolledContent } from './polled-content.tsx'
import { SectionMenu } from './section-menu.tsx'
import { ServerItem } from './server-item.tsx'
import { InstanceState } from './state/instance-state.tsx'
import { BackupsSection } from './upkeep/backups-section.tsx'
import { ChecksSection } from './upkeep/checks-section.tsx'
import { SupportArchive } from './upkeep/support-archive.tsx'
import { VersionsSection } from './versions-section.tsx'
import classes from './system.module.css'
import common from '../../shared/ui/common.module.css'
import { CardList } from './card-list.tsx'

/** The interval at which engines record their heartbeat. */
const pollIntervalMs = 3_000

/** Polls the state of the system while the page is visible. */
function useSystem() {
  return useQuery({ queryKey: ['system'], queryFn: () => call(system.status), refetchInterval: pollIntervalMs })
}

type Status = Response<typeof system.status>

/** The engines that do the work, and the servers that they use. */
export function SystemPage() {
  const hasUpkeep = isSuperAdmin(useUser())
  return (
    <ConsolePage
      title={t('System')}
      lead={t('How the instance is, and the engines that do the work.')}
      actions={hasUpkeep && <SupportArchive />}
    >
      <SectionMenu isSuper={hasUpkeep} />
      <InstanceState />
      {hasUpkeep && (
        <>
          <ChecksSection />
          <BackupsSection />
        </>
      )}
      <SystemContent />
    </ConsolePage>
  )
}

function SystemContent() {
  return (
    <PolledContent
      query={useSystem()}
      loadingText={t('Loading the system')}
      failureText={t('The system could not be loaded.')}
    >
      {(status) => <Status status={status} />}
    </PolledContent>
  )
}

function Status({ status }: { status: Status }) {
  const { engines, speech_servers, translation_servers, ...rest } = status
  return (
    <>
      <Text mb="lg">
        {t('{running, plural, one {# job} other {# jobs}} under way, {queued, number} waiting. Awaz {version}.', {
          running: rest.running_jobs,
          queued: rest.queued_jobs,
          version: rest.version,
        })}
      </Text>
      <section className={classes.section} aria-labelledby="engines">
        <Title order={2} id="engines">
          {t('Engines')}
        </Title>
        {engines.length === 0 ? (
          <div className={`${common.surface} ${common.clip}`}>
            <Notice title={t('No engine is running')}>
              {t('Recordings and texts wait until one runs. Its log says why it does not start.')}
            </Notice>
          </div>
        ) : (
          <CardList>
            {engines.map((engine) => (
              <EngineItem key={engine.id} engine={engine} />
            ))}
          </CardList>
        )}
      </section>
      <Servers
        id="speech-servers"
        title={t('Transcription servers')}
        noneText={t('None are set: the engines transcribe by themselves.')}
        servers={speech_servers}
      />
      <Servers
        id="translation-servers"
        title={t('Translation servers')}
        noneText={t('None are set: the engines translate by themselves.')}
        servers={translation_servers}
      />
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
      <VersionsSection status={status} />
    </>
  )
}

function MailStatus({ mail: { ok, message } }: Pick<Status, 'mail'>) {
  const said = translateSentence(message)
  const sentence = `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`
  if (ok) return <Text c="dimmed">{sentence}</Text>
  return (
    <div className={`${common.surface} ${common.clip}`}>
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
        {t(
          'Lists, search, alerts, jobs and cases of {recordings, plural, one {# recording} other {# recordings}} checked {ago}: {repairs, number} repaired, {ever, number} in all checks.',
          { recordings, ago: formatAgo(checked_at), repairs, ever: repaired_ever },
        )}
      </Text>
      {failed > 0 && (
        <Notice title={t('{failed, plural, one {# repair} other {# repairs}} failed', { failed })}>
          {t('The log of the engine says why; the next check repeats them.')}
        </Notice>
      )}
    </>
  )
}

interface ServersProps {
  id: string
  title: string
  /** Shown if there are no servers. */
  noneText: string
  servers: RemoteServerStatus[]
}

function Servers({ id, title, noneText, servers }: ServersProps) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {servers.length === 0 ? (
        <Text c="dimmed">{noneText}</Text>
      ) : (
        <CardList>
          {servers.map((server) => (
            <ServerItem key={server.address} server={server} />
          ))}
        </CardList>
      )}
    </section>
  )
}
