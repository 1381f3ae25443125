import { Progress, Stack, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { formatSize } from '../format.ts'
import { useStorage } from './use-storage.ts'

/** How much of the user's storage is in use, if there is a limit. */
export function StorageUse() {
  const { data } = useStorage()
  if (!data || data.quota === null) return null
  const { used, trash, quota } = data
  return (
    <Stack component="section" gap="xs" mt="lg" aria-label={t('Storage')}>
      <Text>
        {t('{used} of your {quota} in use, {trash} of it in the trash.', {
          used: formatSize(used),
          quota: formatSize(quota),
          trash: formatSize(trash),
        })}
      </Text>
      <Progress.Root aria-hidden>
        <Progress.Section value={(100 * (used - trash)) / quota} />
        <Progress.Section value={(100 * trash) / quota} color="gray" />
      </Progress.Root>
      <Text size="sm" c="dimmed">
        {t('Where an upload needs room, what was deleted first goes from the trash before its time.')}
      </Text>
    </Stack>
  )
}
