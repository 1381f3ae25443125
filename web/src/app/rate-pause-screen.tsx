import { Center } from '@mantine/core'
import IconHourglass from '@tabler/icons-react/dist/esm/icons/IconHourglass.mjs'
import { t } from '#contract/texts/t.ts'
import { rich } from '../shared/texts/rich.tsx'
import { Notice } from '../shared/ui/notice.tsx'
import { Countdown } from '../shared/ui/countdown.tsx'

/** Replaces every page while the session cannot be read because the server accepts no more calls. */
export function RatePauseScreen({ endsAtMs }: { endsAtMs: number }) {
  return (
    <Center mih="100dvh" component="main" role="status">
      <Notice title={t('Too many requests')} icon={<IconHourglass size={22} stroke={1.5} />}>
        {rich(
          'This browser asked the server for more than it allows within a minute. The page opens by itself in {time}. You are still signed in.',
          { time: <Countdown endsAtMs={endsAtMs} /> },
        )}
      </Notice>
    </Center>
  )
}
