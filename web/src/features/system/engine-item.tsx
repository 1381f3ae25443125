import { Alert, Badge, Group, Progress, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Engine } from '#contract/entities/engine.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatAgo, formatNumber, formatPercent } from '../../shared/format.ts'
import { formatSpeed } from './format-speed.ts'
import classes from './system.module.css'
import { ListedCard } from './card-list.tsx'

const kinds = { transcribe: t('Transcription'), translate: t('Translation'), diarize: t('Speaker dialogue') } as const
const progressLabels = {
  transcribe: t('Progress of the transcription'),
  translate: t('Progress of the translation'),
  diarize: t('Progress of the speaker dialogue'),
} as const

/** One engine process: what it can do, what it has in memory and what it is working on. */
export function EngineItem({ engine }: { engine: Engine }) {
  const { host, pid, threads, speeds, problem } = engine
  return (
    <ListedCard>
      <Group gap="xs" justify="space-between">
        <Title order={3} size="md">
          {t('{host}, process {pid}', { host, pid })}
        </Title>
        <StateBadge engine={engine} />
      </Group>
      {problem && (
        <Alert color="red" title={t('Takes no recordings')}>
          {problem}
        </Alert>
      )}
      <CurrentJob job={engine.job} />
      <dl className={classes.facts}>
        <LabelledValue name={t('Speech model')}>{engine.speech_model ?? t('none')}</LabelledValue>
        <LabelledValue name={t('Translation model')}>{engine.translation_model ?? t('none')}</LabelledValue>
        <LabelledValue name={t('In memory')}>{describeMemory(engine)}</LabelledValue>
        <LabelledValue name={t('Speed, last 5 minutes')}>
          {speeds.length === 0 && t('not measured')}
          {speeds.map((speed) => (
            <div key={speed.model}>
              {speeds.length > 1 && `${speed.model}: `}
              {formatSpeed(speed.real_time_factor)}
            </div>
          ))}
        </LabelledValue>
        <LabelledValue name={t('Threads')}>{threads === null ? t('not known') : formatNumber(threads)}</LabelledValue>
        <LabelledValue name={t('Started')}>{formatAgo(engine.started_at)}</LabelledValue>
      </dl>
    </ListedCard>
  )
}

function describeMemory({ model, device }: Engine): string {
  if (!model) return t('nothing')
  return device ? t('{model} on {device}', { model: model.name, device }) : model.name
}

function StateBadge({ engine }: { engine: Engine }) {
  if (engine.problem) return <Badge color="red">{t('Problem')}</Badge>
  return engine.job ? <Badge color="green">{t('Working')}</Badge> : <Badge color="gray">{t('Idle')}</Badge>
}

function CurrentJob({ job }: Pick<Engine, 'job'>) {
  if (!job) return null
  const facts = [
    kinds[job.kind],
    job.progress === null ? t('begins') : formatPercent(job.progress),
    ...(job.attempt > 1 ? [t('attempt {attempt, number}', { attempt: job.attempt })] : []),
  ]
  return (
    <div>
      <Text size="sm">{facts.join(comma)}</Text>
      <Progress value={(job.progress ?? 0) * 100} mt={4} aria-label={progressLabels[job.kind]} />
    </div>
  )
}

export function LabelledValue({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
