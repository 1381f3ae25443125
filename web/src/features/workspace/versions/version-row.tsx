import { Badge, Button, Collapse, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useId } from 'react'
import type { TranscriptVersion } from '#contract/versions.ts'
import { formatMoment } from '../../../shared/format.ts'
import { ProvenanceDetails } from '../provenance/provenance-details.tsx'
import { describeContent, describeLanguages, describeModels, describeOptions } from './describe-version.ts'
import classes from './version-row.module.css'

interface VersionRowProps {
  version: TranscriptVersion
  onCompare: () => void
  onRestore: () => void
}

/** A version: when it was made of what, and what can be done with it. */
export function VersionRow({ version, onCompare, onRestore }: VersionRowProps) {
  const { request, finished_at: finishedAt, is_current: isCurrent, provenance } = version
  const [isOpen, details] = useDisclosure(false)
  const detailsId = useId()
  const when = formatMoment(finishedAt)
  return (
    <li className={classes.version} data-current={isCurrent || undefined} aria-label={`Version of ${when}`}>
      <div className={classes.head}>
        <Text span fw={600}>
          {when}
        </Text>
        {isCurrent && <Badge>Current</Badge>}
      </div>
      <Text size="sm">{describeLanguages(request)}</Text>
      {describeOptions(request).map((option) => (
        <Text key={option} size="sm">
          <bdi>{option}</bdi>
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        <bdi>{describeModels(version)}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        {describeContent(version)}
      </Text>
      <div className={classes.actions}>
        {!isCurrent && (
          <>
            <Button
              size="compact-sm"
              variant="default"
              onClick={onCompare}
              aria-label={`Compare the version of ${when}`}
            >
              Compare
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={onRestore}
              aria-label={`Restore the version of ${when}`}
            >
              Restore
            </Button>
          </>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={details.toggle}
          aria-expanded={isOpen}
          aria-controls={detailsId}
          aria-label={`Settings of the version of ${when}`}
        >
          Settings
        </Button>
      </div>
      <Collapse expanded={isOpen} id={detailsId}>
        {isOpen && <ProvenanceDetails what="Transcript" provenance={provenance} />}
      </Collapse>
    </li>
  )
}
