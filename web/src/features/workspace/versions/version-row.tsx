import { Button, Collapse, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useId } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatMoment } from '../../../shared/format.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { ProvenanceDetails } from '../provenance/provenance-details.tsx'
import {
  describeContent,
  describeLanguages,
  describeModels,
  describeOptions,
  type NumberedVersion,
} from './describe-version.ts'
import classes from './version-row.module.css'

interface VersionRowProps {
  version: NumberedVersion
  onCompare: () => void
  /** Undefined if the user may not restore versions. */
  onRestore: (() => void) | undefined
}

/** A version: when and with which options it was made, and its actions. */
export function VersionRow({ version, onCompare, onRestore }: VersionRowProps) {
  const { number, request, finished_at: finishedAt, is_current: isCurrent, provenance } = version
  const [isOpen, details] = useDisclosure(false)
  const detailsId = useId()
  return (
    <li
      className={classes.version}
      data-current={isCurrent || undefined}
      aria-label={t('Version {number, number}', { number })}
    >
      <Group gap="0.25rem 0.5rem">
        <Text span fw={600}>
          {t('Version {number, number}', { number })}
        </Text>
        {isCurrent && (
          <Text
            span
            inherit
            py={0}
            px="xs"
            bd="1px solid var(--awaz-accent)"
            bdrs="sm"
            c="var(--awaz-accent-ink)"
            fz="xs"
            fw={560}
          >
            {t('Current')}
          </Text>
        )}
        <Text span size="sm" c="dimmed" ms="auto">
          {formatMoment(finishedAt)}
        </Text>
      </Group>
      <Text size="sm">{describeLanguages(request)}</Text>
      {describeOptions(request).map((option, index) => (
        <Text key={index} size="sm">
          <Isolated>{option}</Isolated>
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        <Isolated>{describeModels(version)}</Isolated>
      </Text>
      <Text size="sm" c="dimmed">
        {describeContent(version)}
      </Text>
      <Group gap="xs" align="stretch" mt={4}>
        {!isCurrent && (
          <>
            <Button
              size="compact-sm"
              variant="default"
              onClick={onCompare}
              aria-label={t('Compare version {number, number}', { number })}
            >
              {t('Compare')}
            </Button>
            {onRestore && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={onRestore}
                aria-label={t('Restore version {number, number}', { number })}
              >
                {t('Restore')}
              </Button>
            )}
          </>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={details.toggle}
          aria-expanded={isOpen}
          aria-controls={detailsId}
          aria-label={t('Settings of version {number, number}', { number })}
        >
          {t('Settings')}
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={detailsId}>
        {isOpen && <ProvenanceDetails what="Transcript" provenance={provenance} />}
      </Collapse>
    </li>
  )
}
