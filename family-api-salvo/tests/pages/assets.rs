//! The files that the pages load.

use family_api_salvo::Pages;
use family_api_salvo::html::Brand;
use salvo::Service;

use crate::support::{Answer, app, attributes, get, routes, serve};

/// The maximum size of all files together, in bytes.
const MAX_SIZE: usize = 48 * 1024;

/// Returns the files that the pages load, by their path.
async fn files(app: &Service) -> Vec<(String, Answer)> {
    let pages = get(app, "/keys").await.text + &get(app, "/deleted").await.text;
    let links = [attributes(&pages, "href"), attributes(&pages, "src")].concat();
    let mut paths: Vec<&str> = links.into_iter().filter(|link| link.starts_with("api/assets/")).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        files.push((path.to_owned(), get(app, &format!("/{path}")).await));
    }
    files
}

fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| end == extension)
}

#[tokio::test]
async fn every_file_is_cached_forever_and_has_its_type() {
    let files = files(&app()).await;
    let types: Vec<_> = files.iter().map(|(_, file)| file.header("content-type").unwrap()).collect();
    let script = "text/javascript; charset=utf-8";
    let icon = "image/svg+xml";
    assert_eq!(types, [script, script, icon, script, script, script, "text/css; charset=utf-8"]);
    for (path, file) in files {
        assert_eq!(file.status, 200, "{path}");
        assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"), "{path}");
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}

#[tokio::test]
async fn no_file_refers_to_another_host() {
    for (path, file) in files(&app()).await {
        let text = file.text.replace("http://www.w3.org/2000/svg", "");
        for reference in ["http:", "https:", "url(", "@import", "import("] {
            assert!(!text.contains(reference), "{path}: {reference}");
        }
    }
}

#[tokio::test]
async fn the_scripts_insert_no_markup_and_evaluate_no_text() {
    let sinks =
        ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "localStorage"];
    let scripts: Vec<_> = files(&app()).await.into_iter().filter(|(path, _)| has_extension(path, "js")).collect();
    assert_eq!(scripts.len(), 5);
    for (path, script) in scripts {
        for sink in sinks {
            assert!(!script.text.contains(sink), "{path}: {sink}");
        }
    }
}

#[tokio::test]
async fn a_script_imports_a_file_that_the_page_loads() {
    let files = files(&app()).await;
    let file = |stem: &str| files.iter().find(|(path, _)| path.starts_with(&format!("api/assets/{stem}-"))).unwrap();
    for (stem, imported) in
        [("keys", "session"), ("keys", "feeds"), ("feeds", "session"), ("feeds", "lean-qr"), ("deleted", "session")]
    {
        let (path, script) = file(stem);
        let name = file(imported).0.strip_prefix("api/assets/").unwrap();
        assert!(script.text.contains(&format!("from \"./{name}\";")), "{path}: {name}");
    }
}

#[tokio::test]
async fn all_files_together_are_small() {
    let size: usize = files(&app()).await.iter().map(|(_, file)| file.text.len()).sum();
    assert!(size < MAX_SIZE, "{size} bytes");
}

#[tokio::test]
async fn another_colour_changes_the_name_of_the_style_sheet() {
    let brand = Brand::default().accent("#7a3e9d".parse().unwrap());
    let colored = files(&serve(routes().brand(brand).pages(Pages::at("/keys")))).await;
    let style =
        |files: &[(String, Answer)]| files.iter().find(|(path, _)| has_extension(path, "css")).unwrap().0.clone();
    assert_ne!(style(&colored), style(&files(&app()).await));
    assert!(colored.iter().any(|(_, file)| file.text.contains("--accent: #7a3e9d")));
}

#[tokio::test]
async fn an_unknown_file_gets_404() {
    let app = app();
    for path in ["/api/assets/style.css", "/api/assets/style-0000000000000000.css", "/api/assets/..%2fkeys"] {
        assert_eq!(get(&app, path).await.status, 404, "{path}");
    }
}
