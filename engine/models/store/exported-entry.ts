/** The catalog entry of an exported model, next to its files. */
export const exportedEntryName = 'awaz-model.json'
