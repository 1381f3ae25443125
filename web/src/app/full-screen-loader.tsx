import { Center } from '@mantine/core'
import { LoadingNotice } from '../shared/ui/notice.tsx'

/** A loading state that fills the screen. */
export function FullScreenLoader({ label }: { label: string }) {
  return (
    <Center mih="100dvh">
      <LoadingNotice label={label} />
    </Center>
  )
}
