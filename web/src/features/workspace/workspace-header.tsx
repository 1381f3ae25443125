import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { formatClock, formatMegabytes } from '../../shared/format.ts'
import { ProvenanceLine } from './provenance/provenance-line.tsx'
import classes from './workspace-header.module.css'

interface WorkspaceHeaderProps {
  recording: RecordingDetails
  /** The translation on screen. */
  translation: TranslationResult | null
  /** Beside the name of the recording. */
  children: ReactNode
}

/** Name and facts of the recording, and the models that made its texts. */
export function WorkspaceHeader({ recording, translation, children }: WorkspaceHeaderProps) {
  const { transcription } = recording
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        <Title order={1}>
          <bdi>{recording.name}</bdi>
        </Title>
        <Text c="dimmed" size="sm" className={classes.facts}>
          <span>{formatMegabytes(recording.size)}</span>
          <span>{formatClock(recording.duration)}</span>
          <span>{recording.is_stereo ? 'Stereo, two speakers' : 'Mono'}</span>
        </Text>
        {transcription && (
          <Text c="dimmed" size="sm" className={classes.models}>
            <ProvenanceLine what="Transcript" provenance={transcription.provenance} />
            {translation && <ProvenanceLine what="Translation" provenance={translation.provenance} />}
          </Text>
        )}
      </div>
      {children}
    </header>
  )
}
