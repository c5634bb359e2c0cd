//! The examples of deploy/ and docs/deploy/: they can be parsed, and the commands, flags and settings in them exist.

use std::fs;

use yaml_rust2::{Yaml, YamlLoader};

use crate::harness::{command, nameplate, root, text};

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn yaml(path: &str) -> Vec<Yaml> {
    YamlLoader::load_from_str(&page(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Asserts that the first word is a subcommand, and that it has each flag.
fn assert_command<'a>(place: &str, words: impl IntoIterator<Item = &'a str>) {
    let mut words = words.into_iter();
    let mut command = vec![words.next().unwrap()];
    if command == ["feed"] {
        command.extend(words.next());
    }
    let help = nameplate(&[&command[..], &["--help"]].concat());
    let command = command.join(" ");
    assert!(help.status.success(), "{place}: there is no nameplate {command}");
    let help: Vec<&str> = text(&help.stdout).split_whitespace().collect();
    for flag in words.filter(|word| word.starts_with("--")) {
        let flag = flag.split('=').next().unwrap();
        assert!(help.contains(&flag), "{place}: nameplate {command} has no {flag}");
    }
}

fn words(list: &Yaml) -> Vec<&str> {
    list.as_vec().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

#[test]
fn the_example_for_kubernetes_names_flags_and_probes_that_exist() {
    let place = "deploy/kubernetes/nameplate.yaml";
    let documents = yaml(place);
    let kinds: Vec<_> = documents.iter().map(|document| document["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"]);
    let pod = &documents[0]["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    assert_command(place, words(&container["args"]));
    assert_eq!(container["readinessProbe"]["httpGet"]["path"].as_str(), Some("/readyz"));
    assert_eq!(container["livenessProbe"]["httpGet"]["path"].as_str(), Some("/healthz"));
    // The ports are those of the Dockerfile, and only patients' is in the Service.
    let dockerfile = page("Dockerfile");
    let ports = container["ports"].as_vec().unwrap();
    for (port, address) in ports.iter().zip(["0.0.0.0", "127.0.0.1"]) {
        let number = port["containerPort"].as_i64().unwrap();
        assert!(dockerfile.contains(&format!("{address}:{number}")), "{number}");
    }
    assert!(!dockerfile.lines().any(|line| line.starts_with("EXPOSE") && line.contains("9090")));
    let command = dockerfile.lines().find_map(|line| line.strip_prefix("CMD ")).unwrap();
    let command: Vec<String> = serde_json::from_str(command).unwrap();
    assert_command("Dockerfile", command.iter().map(String::as_str));
    assert_eq!(documents[1]["spec"]["ports"][0]["targetPort"].as_str(), Some("http"));
    assert!(pod["terminationGracePeriodSeconds"].as_i64() > Some(10), "a stop drains for ten seconds");
    // Where the cache is mounted.
    let cache = container["volumeMounts"][0]["mountPath"].as_str().unwrap();
    assert!(words(&container["args"]).contains(&format!("--content-cache={cache}").as_str()));
}

/// Only Prometheus reaches the operators' port, besides the node, which asks for the probes.
#[test]
fn the_network_policies_of_kubernetes_admit_what_is_needed_and_no_more() {
    let replicas = yaml("deploy/kubernetes/nameplate.yaml");
    let [deployment, policy] = [&replicas[0], &replicas[3]];
    let container = &deployment["spec"]["template"]["spec"]["containers"][0];
    let admin = container["env"]
        .as_vec()
        .unwrap()
        .iter()
        .find(|variable| variable["name"].as_str() == Some("NAMEPLATE_ADMIN"));
    assert_eq!(admin.unwrap()["value"].as_str(), Some("0.0.0.0:9090"), "a probe asks the pod's address");
    let rules = policy["spec"]["ingress"].as_vec().unwrap().iter().map(|rule| {
        let from = &rule["from"][0]["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"];
        assert_eq!((rule["from"].as_vec().unwrap().len(), rule["ports"].as_vec().unwrap().len()), (1, 1));
        (rule["ports"][0]["port"].as_str().unwrap(), from.as_str().unwrap())
    });
    assert_eq!(rules.collect::<Vec<_>>(), [("http", "ingress-nginx"), ("admin", "monitoring")]);
    let feed = yaml("deploy/kubernetes/feed.yaml");
    assert!(feed[2]["spec"]["ingress"].is_badvalue(), "nothing connects to the writer");
    for (deployment, policy) in [(deployment, policy), (&feed[1], &feed[2])] {
        let spec = &policy["spec"];
        assert_eq!(spec["podSelector"], deployment["spec"]["selector"], "the policy is of these pods");
        assert_eq!(words(&spec["policyTypes"]), ["Ingress", "Egress"]);
        let ports = spec["egress"].as_vec().unwrap().iter().flat_map(|rule| rule["ports"].as_vec().unwrap());
        assert_eq!(ports.map(|port| port["port"].as_i64().unwrap()).collect::<Vec<_>>(), [53, 53, 443, 4222]);
        assert_eq!(
            spec["egress"][0]["to"][0]["podSelector"]["matchLabels"]["k8s-app"].as_str(),
            Some("kube-dns")
        );
    }
}

#[test]
fn the_example_of_a_feed_for_kubernetes_names_flags_and_settings_that_exist() {
    let place = "deploy/kubernetes/feed.yaml";
    let documents = yaml(place);
    let kinds: Vec<_> = documents.iter().map(|document| document["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["ConfigMap", "Deployment", "NetworkPolicy"]);
    let pod = &documents[1]["spec"]["template"]["spec"];
    let arguments = words(&pod["containers"][0]["args"]);
    assert_command(place, arguments.iter().copied());
    // The settings of the replicas are read from the environment.
    let mut printing = command(&["serve", "--print-config"]);
    let settings = documents[0]["data"].as_hash().unwrap();
    for (name, value) in settings {
        printing.env(name.as_str().unwrap(), value.as_str().unwrap());
    }
    let printed = printing.output().unwrap();
    assert!(printed.status.success() && printed.stderr.is_empty(), "{}", text(&printed.stderr));
    for (name, value) in settings {
        let (name, value) = (name.as_str().unwrap(), value.as_str().unwrap());
        let is_it =
            |line: &str| line.contains(&format!("\"{value}\"")) && line.ends_with(&format!("# {name}"));
        assert!(text(&printed.stdout).lines().any(is_it), "{name}");
    }
    // Both reach the same servers, and find the files of their secrets.
    let servers = documents[0]["data"]["NAMEPLATE_FEED_URL"].as_str().unwrap();
    assert!(arguments.contains(&format!("--to={servers}").as_str()));
    let replicas = yaml("deploy/kubernetes/nameplate.yaml");
    let replica = &replicas[0]["spec"]["template"]["spec"]["containers"][0];
    let taken =
        replica["envFrom"].as_vec().unwrap().iter().filter_map(|from| from["configMapRef"]["name"].as_str());
    assert!(taken.eq(documents[0]["metadata"]["name"].as_str()));
    let mounts = |container: &Yaml| -> Vec<String> {
        let mounts = container["volumeMounts"].as_vec().unwrap().iter();
        mounts.map(|mount| format!("{}/", mount["mountPath"].as_str().unwrap())).collect()
    };
    let paths = arguments.iter().filter_map(|word| word.split_once("=/").map(|(_, path)| format!("/{path}")));
    let of_replicas =
        settings.values().filter_map(|value| value.as_str().filter(|value| value.starts_with('/')));
    for (container, path) in paths
        .map(|path| (&pod["containers"][0], path))
        .chain(of_replicas.map(|path| (replica, path.to_owned())))
    {
        assert!(mounts(container).iter().any(|mount| path.starts_with(mount.as_str())), "{path}");
    }
}

#[test]
fn the_example_of_three_nats_servers_names_files_and_routes_that_exist() {
    let place = "deploy/nats/compose.yml";
    let documents = yaml(place);
    let configuration = page("deploy/nats/nats.conf");
    let services = documents[0]["services"].as_hash().unwrap();
    assert_eq!(services.len(), 3);
    let mut ports = Vec::new();
    for (name, service) in services {
        let name = name.as_str().unwrap();
        assert_eq!(service["environment"]["NATS_NAME"].as_str(), Some(name));
        assert!(configuration.contains(&format!("\"nats-route://{name}:6222\"")), "{name}");
        assert!(!documents[0]["volumes"][name].is_badvalue(), "{name} keeps nothing");
        let volumes = words(&service["volumes"]);
        assert!(
            volumes.contains(&format!("{name}:/data").as_str())
                && configuration.contains("store_dir: \"/data\"")
        );
        assert!(volumes.contains(&"./nats.conf:/etc/nats/nats.conf:ro"));
        ports.extend(words(&service["ports"]));
    }
    ports.sort_unstable();
    ports.dedup_by_key(|port| port.split(':').next());
    assert_eq!(ports.len(), 3, "a port of the machine for each");
}

#[test]
fn the_example_for_compose_names_flags_that_exist_and_three_replicas() {
    let place = "deploy/compose/compose.yaml";
    let documents = yaml(place);
    let services = documents[0]["services"].as_hash().unwrap();
    let nginx = page("deploy/compose/nginx.conf");
    let mut replicas = 0;
    for (name, service) in services {
        let name = name.as_str().unwrap();
        if service["image"].as_str() == Some("nameplate") {
            assert_command(place, words(&service["command"]));
            if service["command"][0].as_str() == Some("serve") {
                replicas += 1;
                assert!(nginx.contains(&format!("server {name}:8080")), "nginx does not know {name}");
            }
        }
    }
    assert_eq!(
        (replicas, nginx.matches("server ").count()),
        (3, 4),
        "three servers and the one that listens"
    );
    let mount = services[&Yaml::String("nginx".into())]["volumes"][0].as_str().unwrap().to_owned();
    assert!(root().join("deploy/compose").join(mount.split(':').next().unwrap()).exists(), "{mount}");
}

#[test]
fn the_workflows_alerts_and_settings_can_be_parsed() {
    let mut commands = 0;
    for entry in fs::read_dir(root().join("docs/deploy")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yml") {
            continue;
        }
        let place = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        for (_, job) in yaml(&place)[0]["jobs"].as_hash().unwrap() {
            let steps = job["steps"].as_vec().unwrap().iter();
            let runs = steps.filter_map(|step| step["run"].as_str()).flat_map(str::lines);
            for line in runs.filter_map(|line| line.trim().strip_prefix("nameplate ")) {
                assert_command(
                    &place,
                    line.split_whitespace().take_while(|word| !word.starts_with(['$', '>', '|'])),
                );
                assert_command(&place, line.split_whitespace().filter(|word| !word.starts_with("--site")));
                commands += 1;
            }
        }
    }
    assert!(commands >= 5, "{commands}");
    assert_eq!(yaml("deploy/alerts.yml")[0]["groups"][0]["name"].as_str(), Some("nameplate"));

    // Settings that are commented out exist, too: each can be switched on separately.
    let settings = page("deploy/nameplate.toml");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nameplate.toml");
    let with = |from: &str, to: &str| {
        fs::write(&file, settings.replacen(from, to, 1)).unwrap();
        let read = nameplate(&["serve", "--config", file.to_str().unwrap(), "--print-config"]);
        assert!(read.status.success(), "{to}: {}", text(&read.stderr));
    };
    with("", "");
    assert!(settings.contains("# content     = \"s3://"), "the example of a store");
    with(
        "content = \"/srv/nameplate/content\"\n",
        "content = \"s3://larkspur-content/live\"\ncontent-cache = \"a\"\n",
    );
}

#[test]
fn every_command_of_the_page_about_releases_is_one_that_the_program_takes() {
    let page = page("docs/RELEASES.md");
    let blocks = page
        .split("```")
        .skip(1)
        .step_by(2)
        .flat_map(str::lines)
        .filter_map(|line| line.strip_prefix("nameplate "));
    let quoted = page.split('`').filter_map(|code| code.strip_prefix("nameplate "));
    let commands: Vec<&str> = blocks.chain(quoted).collect();
    assert!(commands.len() >= 7, "{commands:?}");
    for command in commands {
        assert_command("docs/RELEASES.md", command.split_whitespace());
    }
    let printed = nameplate(&["serve", "--print-config"]);
    let names = page.lines().filter_map(|line| line.strip_prefix("| `content")?.split('`').next());
    let names: Vec<String> = names.map(|name| format!("content{name} ")).collect();
    assert!(names.len() >= 5, "{names:?}");
    for name in names {
        assert!(text(&printed.stdout).contains(&name), "there is no setting {name}");
    }
}
