import { Stack } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { ConsolePage } from '../admin/console-page.tsx'
import { DryRunPanel } from './dry-run-panel.tsx'
import { HoldsPanel } from './holds-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'

/** How long recordings are kept, what goes when, and what is on legal hold. */
export function RetentionPage() {
  return (
    <ConsolePage
      title={t('Retention')}
      lead={t(
        'How long recordings are kept, what will be deleted and when, and what is on legal hold. Recordings are shown without their names.',
      )}
    >
      <Stack gap={20}>
        <RulesPanel />
        <DryRunPanel />
        <HoldsPanel />
      </Stack>
    </ConsolePage>
  )
}
