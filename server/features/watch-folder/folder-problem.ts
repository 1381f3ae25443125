/** Why nothing from a folder is imported until a person corrects something: a sentence that says what. */
export class FolderProblem extends Error {}
