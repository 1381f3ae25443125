import { Badge, Group, Text, Title } from '@mantine/core'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatAgo } from '../../shared/format.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { LabelledValue } from './engine-item.tsx'
import { formatSpeed } from './format-speed.ts'
import classes from './system.module.css'
import { ListedCard } from './card-list.tsx'

/** One server that runs models, as reported by the engines. */
export function ServerItem({ server }: { server: RemoteServerStatus }) {
  const { address, models, last_error: error } = server
  return (
    <ListedCard>
      <Group gap="xs" justify="space-between">
        <Title order={3} size="md">
          {address}
        </Title>
        <ReachabilityBadge isReachable={server.is_reachable} />
      </Group>
      <dl className={classes.facts}>
        <LabelledValue name={t('Model')}>{models.join(comma) || t('none')}</LabelledValue>
        <LabelledValue name={t('Speed')}>{describeSpeed(server)}</LabelledValue>
        <LabelledValue name={t('Requests')}>
          {t('{running, number} under way, {completed, number} done, {failed, number} failed', {
            running: server.in_flight,
            completed: server.completed,
            failed: server.failed,
          })}
        </LabelledValue>
        <div className={classes.wide}>
          <dt>{t('Last error')}</dt>
          <dd>{error ? `${translateSentence(error.message)} (${formatAgo(error.at)})` : t('none')}</dd>
        </div>
      </dl>
      {server.retry_at && (
        <Text size="sm" c="dimmed">
          {t('Left out for now, and tried again by itself.')}
        </Text>
      )}
    </ListedCard>
  )
}

function describeSpeed({ real_time_factor: factor, tokens_per_second: tokens }: RemoteServerStatus): string {
  if (factor !== null) return formatSpeed(factor)
  return tokens === null ? t('not measured') : t('{tokens, number, ::.0} tokens a second', { tokens })
}

function ReachabilityBadge({ isReachable }: { isReachable: boolean | null }) {
  if (isReachable === null) return <Badge color="gray">{t('Not asked yet')}</Badge>
  return isReachable ? <Badge color="green">{t('Reachable')}</Badge> : <Badge color="red">{t('Not reachable')}</Badge>
}
