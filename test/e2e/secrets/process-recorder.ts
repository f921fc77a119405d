/** Returns a script that writes its arguments, its environment and the arguments of its parent into a file, and then runs `nextCommand`. */
export function recordingScript(file: string, nextCommand: string): string {
  const processFiles = ['/proc/$$/cmdline', '/proc/$$/environ', '/proc/$PPID/cmdline'].map((each) => `tr '\\0' '\\n' <${each}`);
  return `#!/bin/sh\n{ ${processFiles.join('; ')}; } >>'${file}'\n${nextCommand}\n`;
}
