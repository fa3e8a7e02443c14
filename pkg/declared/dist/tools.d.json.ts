// The tools of the dialects, by their names.
declare const tools: { [dialect: string]: any };
export default tools;
