//! Files with screenshots.

use std::fs;
use std::path::Path;

use chromiumoxide::page::ScreenshotParams;

use crate::page::Page;

/// Saves the whole page as `<name>.png` in the folder `tmp/browser` of the target folder.
pub(crate) async fn save(page: &Page, name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    fs::create_dir_all(&folder).unwrap();
    let whole_page = ScreenshotParams::builder().full_page(true).build();
    page.tab.save_screenshot(whole_page, folder.join(format!("{name}.png"))).await.unwrap();
}
