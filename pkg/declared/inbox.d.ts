// The version of the package, which the build puts into the commands of the inbox.
declare const VERSION: string;
