import { List, Text } from '@mantine/core'
import type { WatchProblem } from '#contract/endpoints/watch-folder.ts'
import { t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'

/** Says for each file or folder why it is not imported; `count` includes those that are not listed. */
export function WatchFolderProblems({ problems, count }: { problems: WatchProblem[]; count: number }) {
  return (
    <>
      <List size="sm" listStyleType={problems.length > 1 ? 'disc' : 'none'}>
        {problems.map(({ path, reason }) => (
          <List.Item key={`${path} ${reason}`}>
            {path && (
              <>
                <Isolated>{path}</Isolated>:{' '}
              </>
            )}
            {translateSentence(reason)}
          </List.Item>
        ))}
      </List>
      {count > problems.length && (
        <Text size="sm">{t('And {count, number} more.', { count: count - problems.length })}</Text>
      )}
    </>
  )
}
