;;; compile.el --- Byte-compiles the plug-in without a warning  -*- lexical-binding: t; -*-

;;; Code:

(load (expand-file-name "harness.el" (file-name-directory load-file-name)) nil t)
(require 'bytecomp)
(require 'checkdoc)
(require 'autoload)
(require 'glossator)
(require 'eglot)
(require 'lsp-mode)

(defvar compiled (make-temp-file "glossator" t))

(dolist (file (directory-files (getenv "GLOSSATOR_TEST_PLUGIN") t "\\.el\\'"))
  (t-test (format "%s compiles without a warning" (file-name-nondirectory file))
    (let ((byte-compile-error-on-warn t)
          (copy (expand-file-name (file-name-nondirectory file) compiled)))
      (copy-file file copy)
      (cl-assert (byte-compile-file copy) t)))
  (t-test (format "checkdoc finds nothing in %s" (file-name-nondirectory file))
    (let (found)
      (cl-letf (((symbol-function 'warn)
                 (lambda (template &rest arguments)
                   (push (apply #'format template arguments) found))))
        (checkdoc-file file))
      (when found (error "%S" found)))))

(t-test "the package has a header that package.el reads, and all commands are autoloaded"
  (with-temp-buffer
    (insert-file-contents (expand-file-name "glossator.el" (getenv "GLOSSATOR_TEST_PLUGIN")))
    (let ((description (package-buffer-info)))
      (cl-assert (equal '((emacs (28 1))) (package-desc-reqs description)))
      (cl-assert (equal (version-to-list glossator-version)
                        (package-desc-version description)))))
  (let ((autoloads (expand-file-name "glossator-autoloads.el" compiled)))
    (make-directory-autoloads compiled autoloads)
    (with-temp-buffer
      (insert-file-contents autoloads)
      (dolist (command '(glossator-explain glossator-chat glossator-list-sessions
                                           glossator-figures glossator-eglot-setup))
        (t-contains (buffer-string) (format "(autoload '%s " command))))))

(t-test "setting up loads neither Eglot nor lsp-mode that is not asked for"
  (let ((program (expand-file-name invocation-name invocation-directory)))
    (cl-assert
     (zerop (call-process program nil nil nil "--batch" "-Q"
                          "-L" (getenv "GLOSSATOR_TEST_PLUGIN") "-l" "glossator" "--eval"
                          "(kill-emacs (if (or (featurep 'eglot) (featurep 'lsp-mode)) 1 0))")))))

(t-finish)
;;; compile.el ends here
