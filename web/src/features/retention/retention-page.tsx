import { Stack, Button, Group } from '@mantine/core'
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs'
import { useState, type ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import type { Hold } from '#contract/holds.ts'
import { formatMoment } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ConsolePage } from '../admin/console-page.tsx'
import { describeLoadError } from '../admin/use-admin.ts'
import { HoldDialog } from '../holds/hold-dialog.tsx'
import { HoldFacts } from '../holds/hold-facts.tsx'
import type { HoldSubject } from '../holds/use-holds.ts'
import { DryRunPanel } from './dry-run-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'
import classes from './retention.module.css'
import { useHolds } from './use-retention.ts'

interface HeldItem {
  subject: HoldSubject
  hold: Hold
  title: ReactNode
  liftLabel: string
}

/** How long recordings are kept, what will be deleted when, and what is on legal hold. */
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

/** Everything that is on legal hold. */
function HoldsPanel() {
  const { data, error, isPending, refetch } = useHolds()
  const [shown, setShown] = useState<HeldItem | null>(null)
  const message = describeLoadError(error)
  const items: HeldItem[] = [
    ...(data?.cases ?? []).map(({ id, name, owner, hold, recording_count: count }) => ({
      subject: { of: 'case' as const, id, name },
      hold,
      title: rich('Case of {owner}, {count, plural, one {# recording} other {# recordings}}', {
        owner: <Isolated>{owner.name}</Isolated>,
        count,
      }),
      liftLabel: t('Lift the hold of the case of {owner}', { owner: owner.name }),
    })),
    ...(data?.recordings ?? []).map(({ id, owner, hold, uploaded_at: uploadedAt }) => ({
      subject: { of: 'recording' as const, id, name: '' },
      hold,
      title: rich('Recording of {owner}, uploaded {moment}', {
        owner: <Isolated>{owner.name}</Isolated>,
        moment: formatMoment(uploadedAt),
      }),
      liftLabel: t('Lift the hold of the recording of {owner}', { owner: owner.name }),
    })),
  ]
  return (
    <Panel title={t('Legal holds')} isFlush>
      {message && <ErrorNotice message={message} onRetry={() => void refetch()} />}
      {isPending && <LoadingNotice label={t('Loading the holds')} />}
      {data && items.length === 0 && (
        <Notice title={t('Nothing is on hold')} icon={<IconGavel size={22} stroke={1.5} />}>
          {t(
            'The menu of a case puts the case on hold with all of its recordings; the list above holds a single recording.',
          )}
        </Notice>
      )}
      <ul className={classes.holds}>
        {items.map((item) => (
          <Stack component="li" key={`${item.subject.of} ${item.subject.id}`} gap="xs" miw={0}>
            <Group gap="xs" justify="space-between">
              <span>{item.title}</span>
              <Button variant="default" size="compact-sm" aria-label={item.liftLabel} onClick={() => setShown(item)}>
                {t('Lift…')}
              </Button>
            </Group>
            <HoldFacts hold={item.hold} />
          </Stack>
        ))}
      </ul>
      <HoldDialog
        subject={shown?.subject ?? null}
        known={shown ? { holds: [shown.hold], canHold: true } : undefined}
        onClose={() => setShown(null)}
      />
    </Panel>
  )
}
