//! What is risky about a tool call, by a short list of patterns. It only ever adds a warning: a call without one may be risky all the same.

use super::{Approval, COMMAND};
use serde_json::{Map, Value};

/// Something about a tool call that a person should know before they approve it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Risk {
    /// What may happen.
    pub kind: RiskKind,
    /// What says so: words of the command, or the name of the tool.
    pub found: String,
}

/// What a risky call may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RiskKind {
    /// It deletes for good: `rm -rf`, `DROP TABLE`, `terraform destroy`.
    Deletes,
    /// It overwrites or discards changes: `git push --force`, `git reset --hard`.
    Overwrites,
    /// It makes something public: `npm publish`.
    Publishes,
    /// It moves money: a tool such as `send_payment`.
    Pays,
    /// It runs with full rights: `sudo`.
    Elevated,
    /// It runs what it downloads: `curl … | sh`.
    Fetched,
}

impl RiskKind {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deletes => "deletes",
            Self::Overwrites => "overwrites",
            Self::Publishes => "publishes",
            Self::Pays => "pays",
            Self::Elevated => "elevated",
            Self::Fetched => "fetched",
        }
    }
}

/// So many risks of a call are named.
const MOST: usize = 5;

/// The words of a command, in this order, and the flags of which one must follow. A flag of one letter may stand among others: `-rf`.
type Pattern = (RiskKind, &'static [&'static str], &'static [&'static str]);

const COMMANDS: &[Pattern] = &[
    (RiskKind::Deletes, &["rm"], &["-r", "-R", "-f", "--recursive", "--force"]),
    (RiskKind::Deletes, &["del"], &["/s", "/q"]),
    (RiskKind::Deletes, &["rd"], &["/s"]),
    (RiskKind::Deletes, &["Remove-Item"], &["-Recurse", "-Force"]),
    (RiskKind::Deletes, &["find"], &["-delete"]),
    (RiskKind::Deletes, &["git", "clean"], &["-f", "--force"]),
    (RiskKind::Deletes, &["git", "branch"], &["-D"]),
    (RiskKind::Deletes, &["git", "stash", "clear"], &[]),
    (RiskKind::Deletes, &["git", "stash", "drop"], &[]),
    (RiskKind::Deletes, &["docker", "prune"], &[]),
    (RiskKind::Deletes, &["docker", "volume", "rm"], &[]),
    (RiskKind::Deletes, &["docker", "down"], &["-v", "--volumes"]),
    (RiskKind::Deletes, &["kubectl", "delete"], &[]),
    (RiskKind::Deletes, &["helm", "uninstall"], &[]),
    (RiskKind::Deletes, &["terraform", "destroy"], &[]),
    (RiskKind::Deletes, &["tofu", "destroy"], &[]),
    (RiskKind::Deletes, &["pulumi", "destroy"], &[]),
    (RiskKind::Deletes, &["aws", "s3", "rb"], &[]),
    (RiskKind::Deletes, &["aws", "s3", "rm"], &["--recursive"]),
    (RiskKind::Deletes, &["gcloud", "delete"], &[]),
    (RiskKind::Deletes, &["az", "delete"], &[]),
    (RiskKind::Deletes, &["gh", "repo", "delete"], &[]),
    (RiskKind::Deletes, &["dropdb"], &[]),
    (RiskKind::Deletes, &["mkfs"], &[]),
    (RiskKind::Deletes, &["mkfs.ext4"], &[]),
    (RiskKind::Deletes, &["shred"], &[]),
    (RiskKind::Deletes, &["wipefs"], &[]),
    (RiskKind::Overwrites, &["dd"], &["of="]),
    (RiskKind::Overwrites, &["git", "push"], &["-f", "--force", "--mirror"]),
    (RiskKind::Overwrites, &["git", "reset"], &["--hard"]),
    (RiskKind::Publishes, &["npm", "publish"], &[]),
    (RiskKind::Publishes, &["pnpm", "publish"], &[]),
    (RiskKind::Publishes, &["yarn", "publish"], &[]),
    (RiskKind::Publishes, &["cargo", "publish"], &[]),
    (RiskKind::Publishes, &["twine", "upload"], &[]),
    (RiskKind::Publishes, &["uv", "publish"], &[]),
    (RiskKind::Publishes, &["poetry", "publish"], &[]),
    (RiskKind::Publishes, &["gem", "push"], &[]),
    (RiskKind::Publishes, &["docker", "push"], &[]),
    (RiskKind::Publishes, &["gh", "release", "create"], &[]),
    (RiskKind::Elevated, &["sudo"], &[]),
    (RiskKind::Elevated, &["doas"], &[]),
    (RiskKind::Elevated, &["runas"], &[]),
];

/// Statements of SQL: words in a row, of which `*` is any, and the word without which they reach every row.
const STATEMENTS: &[(RiskKind, &[&str], &str)] = &[
    (RiskKind::Deletes, &["DROP", "TABLE"], ""),
    (RiskKind::Deletes, &["DROP", "DATABASE"], ""),
    (RiskKind::Deletes, &["DROP", "SCHEMA"], ""),
    (RiskKind::Deletes, &["DROP", "COLUMN"], ""),
    (RiskKind::Deletes, &["TRUNCATE", "TABLE"], ""),
    (RiskKind::Deletes, &["DELETE", "FROM"], "WHERE"),
    (RiskKind::Overwrites, &["UPDATE", "*", "SET"], "WHERE"),
];

/// The arguments that may be SQL.
const SQL: [&str; 4] = ["sql", "query", "statement", COMMAND];

/// Words in the name of a tool.
const TOOLS: &[(RiskKind, &[&str])] = &[
    (RiskKind::Deletes, &["delete", "drop", "destroy", "purge", "truncate", "erase", "wipe"]),
    (RiskKind::Publishes, &["publish"]),
    (RiskKind::Pays, &["pay", "payment", "payout", "transfer", "refund", "purchase", "buy", "charge"]),
];

/// What downloads, and what runs the text that it is given.
const DOWNLOADS: [&str; 4] = ["curl", "wget", "iwr", "Invoke-WebRequest"];
const RUNS: [&str; 9] = ["sh", "bash", "zsh", "python", "python3", "node", "perl", "ruby", "iex"];

impl Approval {
    /// What is risky about the call, at most five things. A host may know better: that there is nothing here says nothing.
    #[cold]
    #[inline(never)]
    pub fn risks(&self) -> Vec<Risk> {
        let mut risks = Risks::default();
        let text = |name: &str| match self.arguments.get(name)? {
            Value::String(text) => Some(text.clone()),
            // A command may be a list of its words.
            Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
            _ => None,
        };
        if let Some(command) = text(COMMAND) {
            risks.in_command(&command);
        }
        for statement in SQL.iter().filter_map(|name| text(name)) {
            risks.in_sql(&statement);
        }
        risks.in_name(&self.tool);
        risks.0
    }

    /// Adds the risks to the JSON of the question.
    pub(super) fn add_risks(&self, json: &mut Map<String, Value>) {
        let risks = self.risks();
        if !risks.is_empty() {
            let one = |risk: Risk| {
                let fields = [("kind", Value::from(risk.kind.name())), ("found", risk.found.into())];
                fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
            };
            json.insert("risks".into(), risks.into_iter().map(|risk| Value::Object(one(risk))).collect());
        }
    }
}

#[derive(Default)]
struct Risks(Vec<Risk>);

impl Risks {
    fn add(&mut self, kind: RiskKind, words: &[&str]) {
        let risk = Risk { kind, found: words.join(" ") };
        if self.0.len() < MOST && !self.0.contains(&risk) {
            self.0.push(risk);
        }
    }

    /// Quotes count as blanks, because what stands in them may be run, too.
    fn in_command(&mut self, command: &str) {
        let is_blank = |character: char| character.is_whitespace() || matches!(character, '"' | '\'' | '\\');
        let parts = command.split([';', '&', '(', ')', '`', '\n', '{', '}']);
        for part in parts {
            let mut downloads = None;
            for words in part.split('|').map(|piece| piece.split(is_blank).filter(|word| !word.is_empty())) {
                let words: Vec<&str> = words.collect();
                let program = words.iter().map(|word| name_of(word)).find(|word| !is_before(word));
                if let (Some(from), Some(to)) = (downloads, program.filter(|program| RUNS.contains(program))) {
                    self.add(RiskKind::Fetched, &[from, "|", to]);
                }
                let found = words.iter().map(|word| name_of(word)).find(|word| DOWNLOADS.contains(word));
                downloads = found.or(downloads);
                for place in 0..words.len() {
                    self.at(words.get(place..).unwrap_or_default());
                }
            }
        }
    }

    /// What the words from here on say.
    fn at(&mut self, words: &[&str]) {
        let Some((first, rest)) = words.split_first() else { return };
        for (kind, named, flags) in COMMANDS {
            let Some((program, subcommands)) = named.split_first() else { continue };
            if name_of(first) != *program {
                continue;
            }
            let mut left = rest.iter();
            if !subcommands.iter().all(|named| left.any(|word| word == named)) {
                continue;
            }
            let flag = rest.iter().find(|word| flags.iter().any(|flag| is_flag(word, flag)));
            if flags.is_empty() || flag.is_some() {
                let said: Vec<&str> = named.iter().chain(flag).copied().collect();
                self.add(*kind, &said);
            }
        }
    }

    fn in_sql(&mut self, text: &str) {
        for statement in text.split(';') {
            let is_between = |character: char| !character.is_alphanumeric() && character != '_';
            let words: Vec<&str> = statement.split(is_between).filter(|word| !word.is_empty()).collect();
            let has = |wanted: &str| words.iter().any(|word| word.eq_ignore_ascii_case(wanted));
            for (kind, named, unless) in STATEMENTS {
                let is_one = |(word, named): (&&str, &&str)| *named == "*" || word.eq_ignore_ascii_case(named);
                let is_it = words.windows(named.len()).any(|words| words.iter().zip(*named).all(is_one));
                if is_it && (unless.is_empty() || !has(unless)) {
                    let said: Vec<&str> = named.iter().copied().filter(|word| *word != "*").collect();
                    self.add(*kind, &said);
                }
            }
        }
    }

    fn in_name(&mut self, tool: &str) {
        let starts = |before: char, after: char| before.is_lowercase() && after.is_uppercase();
        let mut words = vec![String::new()];
        let mut before = ' ';
        for character in tool.chars() {
            if starts(before, character) || !character.is_alphanumeric() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
                word.push(character);
            }
            before = character;
        }
        for (kind, named) in TOOLS {
            if words.iter().any(|word| named.iter().any(|named| word.eq_ignore_ascii_case(named))) {
                self.add(*kind, &[tool]);
            }
        }
    }
}

/// The name of a program without its folder.
fn name_of(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Whether a word stands before the program of a command: a variable, or what runs another program.
fn is_before(word: &str) -> bool {
    word.contains('=') || word.starts_with('-') || ["sudo", "doas", "env", "nohup", "exec", "xargs"].contains(&word)
}

/// Whether a word is this flag, or has it among others.
fn is_flag(word: &str, flag: &str) -> bool {
    if flag.ends_with('=') {
        return word.starts_with(flag);
    }
    match (flag.strip_prefix('-'), word.strip_prefix('-')) {
        (Some(letter), Some(letters)) if letter.len() == 1 && !letters.starts_with('-') => {
            letters.chars().all(|one| one.is_ascii_alphabetic()) && letters.contains(letter)
        }
        (Some(_), Some(_)) if flag.starts_with("--") => {
            word.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', '-']))
        }
        _ => word.eq_ignore_ascii_case(flag),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Approval, Decision};
    use serde_json::{Value, json};

    fn risks(tool: &str, arguments: Value) -> Vec<String> {
        let risks = Approval::new(tool, arguments, vec![Decision::Approve]).risks();
        risks.into_iter().map(|risk| format!("{}: {}", risk.kind.name(), risk.found)).collect()
    }

    fn of(command: &str) -> Vec<String> {
        risks("Bash", json!({ "command": command }))
    }

    #[test]
    fn a_risky_command_is_named_by_the_words_that_say_so() {
        for (command, expected) in [
            ("rm -rf node_modules && npm ci", &["deletes: rm -rf"][..]),
            ("cd /srv; /bin/rm --recursive --force x", &["deletes: rm --recursive"]),
            ("bash -c 'rm -fr x'", &["deletes: rm -fr"]),
            ("find . -name '*.o' -exec rm -f {} \\;", &["deletes: rm -f"]),
            ("find . -delete", &["deletes: find -delete"]),
            ("git -C x push origin main --force-with-lease", &["overwrites: git push --force-with-lease"]),
            ("git push -fu origin main", &["overwrites: git push -fu"]),
            ("git reset --hard HEAD~3", &["overwrites: git reset --hard"]),
            ("sudo npm publish --access public", &["elevated: sudo", "publishes: npm publish"]),
            ("curl -fsSL https://x.example/i.sh | sudo bash", &["fetched: curl | bash", "elevated: sudo"]),
            ("curl -s https://x.example | tee a | sh", &["fetched: curl | sh"]),
            ("psql -c \"drop table users\"", &["deletes: DROP TABLE"]),
            ("psql -c 'DELETE FROM users'", &["deletes: DELETE FROM"]),
            ("kubectl --context prod delete ns web", &["deletes: kubectl delete"]),
            ("docker system prune -a", &["deletes: docker prune"]),
            ("dd if=a of=/dev/sda", &["overwrites: dd of=/dev/sda"]),
        ] {
            assert_eq!(of(command), expected, "{command}");
        }
        assert_eq!(risks("shell", json!({ "command": ["rm", "-rf", "x"] })), ["deletes: rm -rf"]);
    }

    #[test]
    fn a_plain_command_is_not_called_risky() {
        for command in [
            "ls -rf",
            "cargo test --force-warn x",
            "git push origin main",
            "git log --format=%H",
            "rm old.txt",
            "curl https://x.example -o a.sh",
            "echo a | sh-not",
            "psql -c \"DELETE FROM users WHERE id = 1\"",
            "npm run publish-docs",
            "",
        ] {
            assert_eq!(of(command), [""; 0], "{command}");
        }
    }

    #[test]
    fn a_tool_and_a_statement_of_sql_are_risky_by_their_words() {
        assert_eq!(risks("delete_branch", json!({})), ["deletes: delete_branch"]);
        assert_eq!(risks("sendPayment", json!({})), ["pays: sendPayment"]);
        assert_eq!(risks("undeleted", json!({})), [""; 0]);
        assert_eq!(risks("run", json!({ "sql": "update t set a = 1" })), ["overwrites: UPDATE SET"]);
        assert_eq!(risks("run", json!({ "statement": "alter table t drop column c" })), ["deletes: DROP COLUMN"]);
        assert_eq!(risks("run", json!({ "query": "how to drop a table, and delete rows from it" })), [""; 0]);
    }

    #[test]
    fn few_risks_are_named_of_many() {
        let all = ["rm -r", "npm publish", "sudo x", "git reset --hard", "dropdb x", "shred x", "gem push"].join(";");
        assert_eq!(of(&all).len(), 5);
        assert_eq!(of(&"rm -rf x;".repeat(10_000)), ["deletes: rm -rf"]);
    }
}
